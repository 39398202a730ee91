#!/usr/bin/env node
// Runs Biome with the arguments, and installs it first if that has not been done.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installTools } from './install-tools.mjs';

const program = join(await installTools(), 'node_modules/@biomejs/biome/bin/biome');
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
