/** Decides which nodes share feeds, and which of them share one snapshot: those that would compile the same one. */
import { createHash } from 'node:crypto';
import { readVersion } from '../platform/version.ts';
import type { Feed } from './feed.ts';
import { idOfFile } from './snapshot-container.ts';

export interface BuildId {
  /** The release with its bundled snapshot: another release may read or judge the same feed differently. */
  readonly build: string;
  /** The build and its enabled feeds: others are compiled to another snapshot. */
  readonly scope: string;
}

/** @throws when there is no bundled snapshot */
export async function readBuildId(baselineFile: string | URL, feeds: readonly Feed[]): Promise<BuildId> {
  const build = `${readVersion()} ${await idOfFile(baselineFile)}`;
  const enabled = feeds.filter((feed) => feed.enabled);
  const hash = createHash('sha256')
    .update(JSON.stringify([build, enabled]))
    .digest('hex');
  return { build, scope: hash.slice(0, 16) };
}
