import { describe, expect, it } from 'vitest';
import type { SourceInfo } from '../model/source.ts';
import { createDisputeRules } from './domain-dispute.ts';

const source = (id: string, category: SourceInfo['category'], rest: Partial<SourceInfo> = {}) => ({
  id,
  category,
  origin: `npm:${id}`,
  ...rest,
});
const SOURCES = [
  source('curated', 'disposable', { family: 'project' }),
  source('curated-feed', 'disposable', { family: 'project' }),
  source('observed', 'disposable'),
  source('collection', 'disposable', { collection: true }),
  source('ours', 'disposable', { origin: 'gatehouse:ours' }),
  source('popular', 'popular'),
  source('known', 'known'),
  source('mistyped', 'mistyped'),
];
const mask = (...ids: string[]): bigint =>
  ids.reduce((sum, id) => sum | (1n << BigInt(SOURCES.findIndex((source) => source.id === id))), 0n);
const { isDisputed, isSettled } = createDisputeRules(SOURCES);

describe('a listing as disposable', () => {
  it.each<[string, string[], boolean]>([
    ['one list and nothing against it', ['curated'], false],
    ['one list against popularity', ['curated', 'popular'], true],
    ['a mere collection against popularity', ['collection', 'popular'], true],
    ['two copies of one list against popularity', ['curated', 'curated-feed', 'popular'], true],
    ['a list and who collects it against popularity', ['curated', 'collection', 'popular'], true],
    ['two independent lists against popularity', ['curated', 'observed', 'popular'], false],
    ['our own list against popularity', ['ours', 'popular'], false],
    ['every list against what is known of the domain', ['curated', 'observed', 'known'], true],
    ['every list against a typing mistake', ['curated', 'observed', 'mistyped'], true],
    ['our own list against what is known', ['ours', 'curated', 'known'], false],
    ['no list at all', ['popular', 'known'], false],
  ])('%s', (_, ids, disputed) => {
    expect(isDisputed(mask(...ids), 0n, false)).toBe(disputed);
  });

  it('of a shared suffix is always disputed, however many lists agree', () => {
    expect(isDisputed(mask('curated', 'observed'), 0n, true)).toBe(true);
  });

  it('of a name below a known domain is disputed, but not of one below a popular domain', () => {
    expect(isDisputed(mask('curated'), mask('known', 'observed'), false)).toBe(true);
    expect(isDisputed(mask('curated'), mask('popular', 'observed'), false)).toBe(false);
  });

  it('is settled by two independent lists or our own', () => {
    expect(isSettled(mask('curated', 'curated-feed', 'collection'))).toBe(false);
    expect(isSettled(mask('curated', 'observed'))).toBe(true);
    expect(isSettled(mask('ours'))).toBe(true);
  });
});
