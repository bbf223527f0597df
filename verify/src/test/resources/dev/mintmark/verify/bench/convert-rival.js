// Applies the function of a warehouse team's article to the lines of a file.
//
//   node convert-rival.js DIRECTORY INPUT OUTPUT [COLUMN]
//
// DIRECTORY is where `npm install id128` was run. With COLUMN, from 0 on, the lines are CSV with a
// header and without quotes, and the id is written in its place.
'use strict';
const fs = require('fs');
const path = require('path');
const [directory, input, output, column] = process.argv.slice(2);
const { Ulid } = require(path.resolve(directory, 'node_modules', 'id128'));

const uuidToUlid = (uuid) => Ulid.fromRaw(uuid.replace(/-/g, '')).toCanonical();

const CHUNK = 1 << 20;
const place = column === undefined ? -1 : Number(column);

function convert(line) {
  if (place < 0) {
    return uuidToUlid(line);
  }
  const fields = line.split(',');
  fields[place] = uuidToUlid(fields[place]);
  return fields.join(',');
}

async function run() {
  const out = fs.createWriteStream(output, { highWaterMark: CHUNK });
  let rest = '';
  let isHeader = place >= 0;
  for await (const chunk of fs.createReadStream(input, { encoding: 'latin1', highWaterMark: CHUNK })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (let i = 0; i < lines.length; i++) {
      if (isHeader) {
        isHeader = false;
      } else {
        lines[i] = convert(lines[i]);
      }
    }
    if (lines.length > 0 && !out.write(lines.join('\n') + '\n', 'latin1')) {
      await new Promise((resolve) => out.once('drain', resolve));
    }
  }
  out.end();
}

run();
