/** Makes names in a folder durable. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
