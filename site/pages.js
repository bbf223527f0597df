// Copies the pages of the repository to target/pages, where VitePress reads them. The pages are written for a reader
// of the repository: a README is the index of its folder there, and what is linked but is no page is kept beside them.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const PAGES = join(import.meta.dirname, 'target', 'pages');
const BASE = process.env.SITE_BASE || '/';
const PUBLIC = join(PAGES, 'public', 'files');
const API = join(PAGES, 'public', 'api');

const LINK = /(!?\[(?:[^\]\\]|\\.)*\]\()([^)\s#]+)(#[^)\s]*)?\)/g;

/** The pages, as paths in the repository. */
function pages() {
  const found = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'vectors/README.md'];
  for (const folder of ['docs', 'examples']) {
    for (const file of readdirSync(join(ROOT, folder), { recursive: true })) {
      if (file.endsWith('.md') && !file.includes('target') && !file.includes('node_modules')) {
        found.push(posix.join(folder, file));
      }
    }
  }
  return found;
}

const known = new Set(pages());

/** Where a page is on the site. */
const placed = (page) => page.replace(/README\.md$/, 'index.md');

/** Rewrites a link of a page to a file of the repository. */
function link(page, before, target, fragment) {
  if (/^[a-z]+:/.test(target)) {
    return `${before}${target}${fragment})`;
  }
  const file = posix.normalize(posix.join(posix.dirname(page), target)).replace(/\/$/, '');
  const readme = posix.join(file, 'README.md');
  const linked = known.has(file) ? file : known.has(readme) ? readme : undefined;
  if (linked !== undefined) {
    return `${before}/${placed(linked)}${fragment})`;
  }
  const path = join(ROOT, file);
  if (!existsSync(path)) {
    throw new Error(`${page}: no such file: ${target}`);
  }
  if (before.startsWith('!')) {
    return copied(file, join(PAGES, file), `${before}${target})`);
  }
  if (statSync(path).isDirectory()) {
    const list = readdirSync(path).sort().join('\n') + '\n';
    mkdirSync(join(PUBLIC, file), { recursive: true });
    writeFileSync(join(PUBLIC, file, 'index.txt'), list);
    return kept(before, `${file}/index.txt`);
  }
  return copied(file, join(PUBLIC, file), kept(before, file));
}

/** A link to a file that is no page: the browser opens it, not the router of VitePress. */
function kept(before, file) {
  return `${before}${BASE}files/${file}){target="_self"}`;
}

function copied(file, to, text) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(ROOT, file), to);
  return text;
}

/** Puts the Javadoc of each module beside the pages, if the build has made it, and a list of the modules. */
function api() {
  const modules = readdirSync(ROOT).filter((module) => existsSync(join(ROOT, module, 'target/reports/apidocs/index.html')));
  const items = modules.map((module) => `<li><a href="${module}/index.html">mintmark-${module}</a></li>`).join('');
  mkdirSync(API, { recursive: true });
  writeFileSync(
    join(API, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mintmark API</title><h1>Mintmark API</h1><p>The Javadoc of each artifact.</p><ul>${items}</ul></html>\n`,
  );
  for (const module of modules) {
    cpSync(join(ROOT, module, 'target/reports/apidocs'), join(API, module), { recursive: true });
  }
  return modules.length;
}

rmSync(PAGES, { recursive: true, force: true });
mkdirSync(join(PAGES, 'public'), { recursive: true });
cpSync(join(import.meta.dirname, 'versions.json'), join(PAGES, 'public', 'versions.json'));
for (const page of known) {
  const markdown = readFileSync(join(ROOT, page), 'utf8');
  const to = join(PAGES, placed(page));
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(
    to,
    markdown.replace(LINK, (all, before, target, fragment) => link(page, before, target, fragment ?? '')),
  );
}
console.log(`${known.size} pages and the Javadoc of ${api()} modules in ${relative(ROOT, PAGES)}`);
