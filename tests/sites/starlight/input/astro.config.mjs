import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { sidebar } from './config/sidebar.mjs';

// https://astro.build/config
export default defineConfig({
  site: process.env.SITE || 'https://kites.example',
  base: '/docs',
  trailingSlash: 'always',
  integrations: [
    starlight({
      title: { en: 'Kites', fr: 'Cerfs-volants' },
      description: 'How to build a kite that flies.',
      defaultLocale: 'root',
      locales: {
        root: { label: 'English', lang: 'en' },
        fr: { label: 'Français' },
      },
      sidebar,
    }),
  ],
});
