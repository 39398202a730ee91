/** Decides which feeds are fetched, and from where: the table of feeds, changed by the operator's own file. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Feed } from './feed.ts';
import { readAdded, readOverride } from './feed-members.ts';
import { FEEDS } from './feeds.ts';
import { BASELINE_SOURCES, MAX_SOURCES } from './sources.ts';

/** A snapshot has room for 64 sources, with the bundled ones. */
const MAX_FEEDS = MAX_SOURCES - BASELINE_SOURCES.length;
/** An id names files and metrics. */
const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The feeds of an installation, also those that are off. */
export type FeedTable = readonly Feed[];

/**
 * `file`: JSON `{ "<id>": { "url", "enabled", "everyHours" } }`; an id that the table does not have adds a source,
 * which needs `url`, `format` and `says`. A relative `file:` URL starts at the folder of `file`.
 * @throws with one line that names the file, the id and what is wrong
 */
export function readFeedSettings(file: string | undefined): Feed[] {
  const feeds = new Map(FEEDS.map((feed) => [feed.id, feed]));
  if (file === undefined) return [...feeds.values()];
  const base = pathToFileURL(file);
  for (const [id, settings] of Object.entries(readDocument(file))) {
    try {
      if (!isObject(settings)) throw new Error('must be an object');
      const known = feeds.get(id);
      if (known === undefined) checkId(id);
      feeds.set(
        id,
        known === undefined ? readAdded(id, settings, base) : override(known, readOverride(settings, base)),
      );
    } catch (error) {
      throw new Error(`${file}: ${JSON.stringify(id)}: ${(error as Error).message}`);
    }
  }
  if (feeds.size > MAX_FEEDS) throw new Error(`${file}: ${feeds.size} feeds are more than ${MAX_FEEDS}`);
  return [...feeds.values()];
}

/** The minimum length of the publisher's list does not apply to a list at another URL. */
function override(known: Feed, changes: Partial<Feed>): Feed {
  const { minEntries, ...rest } = known;
  return changes.url === undefined && minEntries !== undefined
    ? { ...known, ...changes }
    : { ...rest, ...changes };
}

function readDocument(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: cannot be read: ${(error as Error).message}`);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`);
  }
  if (!isObject(document)) throw new Error(`${file}: must be an object with a member for each feed`);
  return document;
}

function checkId(id: string): void {
  if (!ID.test(id)) throw new Error('an id has lower-case letters, digits and hyphens, 64 at most');
  if (BASELINE_SOURCES.some((source) => source.id === id)) throw new Error('is the id of a bundled source');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
