import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = '../core/src/main/java/dev/mintmark/';
const source = readdirSync(FOLDER)
  .filter((file) => /^[A-Z]\w+Layouts\.java$/.test(file))
  .map((file) => readFileSync(FOLDER + file, 'utf8'))
  .join('');
const FIELD = /\b(?:(ver)sion\(|(var)iant\(|(?:plain|ticks|random|fixed)\(\s*(\d+),\s*"(\w+)")/g;

/** Each row of the table of layouts: its kind, and its fields in their order with their bits. */
export const layouts = source
  .split(/\n {2}static final Layout /)
  .slice(1)
  .map((row) => ({
    kind: /"([\w-]+)"/.exec(row)?.[1] ?? '',
    fields: [...row.matchAll(FIELD)].map(([, ver, variant, bits, name]) => ({
      name: ver ?? variant ?? name,
      bits: ver ? 4 : variant ? 2 : Number(bits),
    })),
  }));
