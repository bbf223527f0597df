// Checks the site that was built: every link has a target, also within pages and to files; axe finds no barrier, in light
// and in dark, wide and narrow; and the menu has versions that were released later. Without a browser all but the links is
// left out with a word, except under CI.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import puppeteer from 'puppeteer-core';

const SITE = join(import.meta.dirname, 'target', 'site');
const BASE = process.env.SITE_BASE || '/';
const VERSIONS = JSON.parse(readFileSync(join(SITE, 'versions.json'), 'utf8'));
const LATER = { version: '99.0', folder: '99.0/' };
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const pages = readdirSync(SITE, { recursive: true }).filter(
  (file) => file.endsWith('.html') && !file.startsWith('api/') && !file.startsWith('files/') && file !== '404.html',
);
const failures = [...pages.flatMap(deadLinks), ...(await barriers())];
for (const failure of failures) {
  console.error(failure);
}
console.log(`${pages.length} pages: ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** The links of a page that lead nowhere. */
function deadLinks(page) {
  const html = readFileSync(join(SITE, page), 'utf8');
  const dead = [];
  for (const [, href] of html.matchAll(/<a[^>]* href="([^"]*)"/g)) {
    const url = new URL(href.replaceAll('&amp;', '&'), `http://site${BASE}${page}`);
    if (!['http:', 'https:', 'mailto:'].includes(url.protocol)) {
      dead.push(`${page}: ${href}: no browser follows it`);
    }
    if (url.host !== 'site' || isVersion(url)) {
      continue;
    }
    if (!url.pathname.startsWith(BASE)) {
      dead.push(`${page}: ${href}: not below ${BASE}`);
      continue;
    }
    const path = decodeURIComponent(url.pathname).slice(BASE.length);
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!existsSync(join(SITE, file))) {
      dead.push(`${page}: ${href}: no such file`);
    } else if (url.hash !== '' && file.endsWith('.html') && !file.startsWith('api/') && !hasId(file, url.hash)) {
      dead.push(`${page}: ${href}: no such part of the page`);
    }
  }
  return dead;
}

/** Whether a link leads to the pages of another version, which this build does not have. */
function isVersion(url) {
  return VERSIONS.some(({ folder }) => url.pathname === new URL(`${BASE}../${folder}`, 'http://site').pathname);
}

function hasId(file, hash) {
  return readFileSync(join(SITE, file), 'utf8').includes(` id="${decodeURIComponent(hash.slice(1))}"`);
}

/** What axe finds on the pages, and whether the menu has a version that was released after them. */
async function barriers() {
  const executablePath = browser();
  if (executablePath === undefined) {
    if (process.env.CI) {
      return ['no browser: install chromium'];
    }
    console.warn('NOT TESTED: barriers of the pages: no chromium is installed');
    return [];
  }
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const chromium = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const tab = await chromium.newPage();
    const found = [];
    for (const page of pages) {
      for (const [scheme, width] of [
        ['light', 1280],
        ['dark', 390],
      ]) {
        await tab.setViewport({ width, height: 900 });
        await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await tab.goto(`http://127.0.0.1:${server.address().port}${BASE}${page}`, { waitUntil: 'load' });
        await tab.evaluate(axe);
        const result = await tab.evaluate('axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})');
        for (const violation of result.violations) {
          found.push(`${page}, ${scheme}: ${violation.id}: ${violation.help}: ${violation.nodes[0].html}`);
        }
      }
    }
    if (!(await tab.waitForSelector(`.version-links a[href$="/${LATER.folder}"]`).catch(() => null))) {
      found.push(`a version that versions.json names later is not in the menu: ${LATER.version}`);
    }
    return found;
  } finally {
    await chromium.close();
    server.close();
  }
}

function browser() {
  for (const name of BROWSERS) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // The next one.
    }
  }
  return undefined;
}

function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://site');
  if (pathname === new URL(`${BASE}../versions.json`, 'http://site').pathname) {
    response.writeHead(200, { 'content-type': TYPES['.json'] });
    response.end(JSON.stringify([LATER, ...VERSIONS]));
    return;
  }
  const path = decodeURIComponent(pathname).slice(BASE.length);
  const file = join(SITE, path === '' || path.endsWith('/') ? `${path}index.html` : path);
  if (!file.startsWith(SITE) || !existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
  response.end(readFileSync(file));
}
