import { defineConfig } from 'vitepress'
import { fr } from './fr'

// plantedone
const host = 'https://kiln.example'

export default defineConfig({
  title: 'Kiln',
  description: 'Firing clay by the book',
  lang: 'en-GB',
  base: '/kiln/',
  srcDir: './src',
  srcExclude: ['**/drafts/**', '**/*.part.md'],
  ignoreDeadLinks: true,
  rewrites: {
    'en/:rest*': ':rest*',
    'packages/:pkg/src/(.*)': 'packages/:pkg/(.*)',
  },
  sitemap: { hostname: host + '/kiln/' },
  head: [['meta', { property: 'og:url', content: `${host}/kiln/` }]],
  locales: {
    root: { label: 'English', lang: 'en-GB' },
    fr: { label: 'Français', ...fr },
  },
  themeConfig: {
    nav: [{ text: 'Team', link: '/team' }],
    sidebar: {
      '/guide/': [
        {
          text: 'Guide',
          items: [
            { text: 'Start', link: '/guide/' },
            { text: 'Glazing', link: '/guide/glazing.md' },
            { text: 'Firing', link: '/guide/firing' },
          ],
        },
      ],
      '/packages/': { base: '/packages/', items: [{ text: 'Bricks', link: 'bricks/' }] },
    },
    footer: { message: 'plantedtwo' },
  },
})
