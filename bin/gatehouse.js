#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('gatehouse: dist is missing: run `npm ci --include=dev`, which builds it\n');
  process.exitCode = 1;
}
