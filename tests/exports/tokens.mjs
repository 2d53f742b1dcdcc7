// What the tools cost a model by a real vocabulary, beside what `builder catalogue --budget` says.
//
//     node tokens.mjs BUILDER SITE [CONFIG]
//
// `o200k_base` and `cl100k_base` as `gpt-tokenizer` has them, which the folder holds that this runs in. Exits 1 when the estimate of a tool is more than 8 % off the
// first, that of all more than 5 %, or when the tools of every site cost 3,500 tokens or more.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [builder, site, config] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), 'x.js'));
const { encode } = require('gpt-tokenizer/encoding/o200k_base');
const { encode: older } = require('gpt-tokenizer/encoding/cl100k_base');

const ask = (...more) =>
  JSON.parse(execFileSync(builder, ['catalogue', '--site', site, ...(config ? ['--config', config] : []), '--now', '2026-11-30', '--json', ...more], { maxBuffer: 1e9 }));
const KEYS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'];
const tools = ask().map((tool) => ({ own: !tool.collection, name: tool.name, text: JSON.stringify(Object.fromEntries(KEYS.filter((key) => key in tool).map((key) => [key, tool[key]]))) }));
const budget = ask('--budget');
const estimates = new Map(budget.tools.map(({ name, tokens }) => [name, tokens]));

let wrong = 0, worst = 0, all = 0, old = 0, own = 0;
for (const tool of tools) {
  const real = encode(tool.text).length;
  const off = Math.abs(estimates.get(tool.name) / real - 1);
  all += real;
  old += older(tool.text).length;
  own += tool.own ? real : 0;
  worst = Math.max(worst, off);
  if (off > 0.08) {
    wrong += 1;
    console.log(`${tool.name} costs ${real} tokens and is estimated at ${estimates.get(tool.name)}`);
  }
}
const off = budget.tokens / all - 1;
if (Math.abs(off) > 0.05) wrong += 1;
if (own >= 3500) {
  wrong += 1;
  console.log(`the tools of every site cost ${own} tokens`);
}
const percent = (share) => `${(share * 100).toFixed(1)} %`;
console.log(`${tools.length} tools cost ${all} tokens of o200k_base, ${old} of cl100k_base; those of every site ${own}; estimated at ${budget.tokens} (${percent(off)}, a tool at worst ${percent(worst)}): ${wrong ? 'FAILED' : 'ok'}`);
process.exit(wrong ? 1 : 0);
