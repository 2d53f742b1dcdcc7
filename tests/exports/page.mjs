// The page about the tools in a real browser: 390 and 1280 pixels wide, light and dark.
//
//     node page.mjs CHROMIUM PAGE.html SCREENSHOTS
//
// Nothing is loaded but the page, nothing is wider than the window, and axe finds nothing to complain of, contrast included.
// Exits 1 with a line for each thing that is wrong. Run from the folder in which puppeteer-core and axe-core are installed.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const [chromium, file, screenshots] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), 'x.js'));
const { default: puppeteer } = await import(pathToFileURL(require.resolve('puppeteer-core')));
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const url = pathToFileURL(file).href;

const browser = await puppeteer.launch({
  executablePath: chromium,
  protocolTimeout: 300_000,
  timeout: 300_000,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
let wrong = 0;
const tell = (where, what) => { wrong += 1; console.log(`${where}: ${what}`); };
try {
  for (const width of [390, 1280]) {
    for (const scheme of ['light', 'dark']) {
      const where = `${width} ${scheme}`;
      const page = await browser.newPage();
      page.on('request', (request) => { if (request.url() !== url) tell(where, `loads ${request.url()}`); });
      page.on('console', (message) => tell(where, `console: ${message.text()}`));
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.goto(url, { timeout: 300_000 });
      await page.evaluate(() => document.querySelectorAll('details').forEach((it) => { it.open = true; }));
      const wide = await page.evaluate(() => {
        const inside = (it) => it.closest('pre') && it.tagName !== 'PRE';
        const found = [...document.querySelectorAll('body *')].filter((it) => !inside(it) && it.getBoundingClientRect().right > innerWidth + 1);
        const all = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
        return [...all, ...found.slice(0, 5).map((it) => it.outerHTML.slice(0, 120))];
      });
      wide.forEach((it) => tell(where, `wider than the window: ${it}`));
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const bright = Number(background.match(/\d+/)[0]) > 127;
      if (bright !== (scheme === 'light')) tell(where, `the background is ${background}`);
      if (await page.$('script')) tell(where, 'has a script');
      await page.evaluate(axe);
      const { violations, passes } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations', 'passes'] }));
      for (const it of violations) tell(where, `${it.id}: ${it.help}: ${it.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`);
      if (!passes.some((it) => it.id === 'color-contrast')) tell(where, 'contrast was not looked at');
      await page.screenshot({ path: join(screenshots, `tool-surface-${width}-${scheme}.png`), fullPage: false });
      await page.close();
    }
  }
} finally {
  await browser.close();
}
console.log(`the page about the tools: 2 widths, light and dark: ${wrong ? 'FAILED' : 'ok'}`);
process.exit(wrong ? 1 : 0);
