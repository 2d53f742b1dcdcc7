import type {Config} from '@docusaurus/types';
import type * as Preset from '@docusaurus/preset-classic';
import versions from './versions.json';

const lastVersion = versions[0];

const shared = {
  admonitions: {keywords: ['steep'], extendDefaults: true},
};

const config: Config = {
  title: 'Tea House',
  tagline: 'Everything about tea',
  url: 'https://tea.example',
  baseUrl: '/house/',
  trailingSlash: false,
  onBrokenLinks: 'warn',
  i18n: {
    defaultLocale: 'en',
    locales: ['en', 'fr'],
  },
  presets: [
    [
      'classic',
      {
        docs: {
          path: '../docs',
          sidebarPath: require.resolve('./sidebars'),
          lastVersion: 'current',
          versions: {
            current: {label: '2.0'},
            [lastVersion]: {path: 'v1', banner: 'unmaintained'},
          },
          ...shared,
        },
        blog: {
          blogTitle: 'News from the kettle',
          onUntruncatedBlogPosts: 'ignore',
          onInlineAuthors: 'ignore',
        },
        theme: {},
      } satisfies Preset.Options,
    ],
  ],
  plugins: [
    [
      '@docusaurus/plugin-content-docs',
      {id: 'community', path: 'community', routeBasePath: '/community', sidebarPath: false},
    ],
    [
      '@docusaurus/plugin-content-blog',
      {id: 'changelog', path: 'changelog', routeBasePath: '/changelog', blogTitle: 'Changelog', onUntruncatedBlogPosts: 'ignore'},
    ],
  ],
  themeConfig: {
    announcementBar: {content: 'plantedbanner'},
  },
};

export default config;
