export const sidebar = [
  { label: 'Start', items: ['guides/first-kite', { slug: 'guides/second' }] },
  { label: 'Reference', autogenerate: { directory: 'reference' } },
];
