import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** The version of the program, from its pom. */
const version = /<artifactId>mintmark-parent<\/artifactId>\s*<version>([^<]+)</.exec(
  readFileSync(join(ROOT, 'pom.xml'), 'utf8'),
)[1];

/** All versions that have pages, the newest first, and the folder of each beside versions.json. */
const versions = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'versions.json'), 'utf8'));

/** The reading order of docs/README.md as a sidebar: a bold line begins a part, a link is a page. */
function sidebar() {
  const parts = [];
  for (const paragraph of readFileSync(join(ROOT, 'docs', 'README.md'), 'utf8').split(/\n(?=\*\*)/).slice(1)) {
    const text = /^\*\*([^*]+)\*\*/.exec(paragraph)[1];
    const items = [...paragraph.matchAll(/\[([^\]]+)\]\(([a-z0-9-]+)\.md\)/g)].map(([, title, page]) => ({
      text: title[0].toUpperCase() + title.slice(1),
      link: `/docs/${page}`,
    }));
    parts.push({ text, items });
  }
  return parts;
}

export default {
  title: 'Mintmark',
  description: 'Identifiers for Java and PostgreSQL: mint, store, mask, page, search, migrate and allocate them.',
  lang: 'en',
  srcDir: 'target/pages',
  srcExclude: ['public/**'],
  outDir: 'target/site',
  cacheDir: 'target/cache',
  // Where this version is served: several stand side by side, as /0.1/ and /0.2/, with versions.json beside them.
  base: process.env.SITE_BASE || '/',
  cleanUrls: false,
  lastUpdated: false,
  // A page tells its reader to open a server of their own.
  ignoreDeadLinks: 'localhostLinks',
  // Brings no font from elsewhere: the pages load nothing from another server.
  head: [['meta', { name: 'theme-color', content: '#0b6e4f' }]],
  markdown: {
    // The fragments of GitHub, to which the pages link: also those that begin with a digit.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replace(/\s/g, '-'),
    },
    // Code without colours on which little contrast is left.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      markdown.renderer.rules.table_open = () => '<table tabindex="0">\n';
    },
  },
  themeConfig: {
    nav: [
      { text: 'Getting started', link: '/docs/getting-started' },
      { text: 'Documentation', link: '/docs/' },
      { text: 'API', link: '/api/index.html', target: '_self' },
      {
        text: version,
        items: [{ text: 'Changelog', link: '/CHANGELOG' }, { component: 'VersionLinks' }],
      },
    ],
    version,
    versions,
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
};
