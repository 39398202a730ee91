// The resident memory of a process, as Linux reports it.
import { readFileSync } from 'node:fs';

export function residentBytes(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(text)[1]) * 1024;
}
