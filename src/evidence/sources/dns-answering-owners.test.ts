import { expect, it } from 'vitest';
import { createAnsweringOwners } from './dns-answering-owners.ts';
import { CONTROL } from './dns-query-places.ts';

function answered(owners: ReturnType<typeof createAnsweringOwners>, account: string, count: number): void {
  for (let at = 0; at < count; at += 1) owners.noteAnswer(`answered-${at}-of-${account}.com`, account, 10);
}

function unanswered(owners: ReturnType<typeof createAnsweringOwners>, account: string, count: number): void {
  for (let at = 0; at < count; at += 1)
    owners.noteUnanswered(`silent-${at}-of-${account}.com`, account, 10, false);
}

it('reports a fault of the domain if other domains are answered', () => {
  const owners = createAnsweringOwners();
  expect(owners.othersAnswered('broken.com', 'acme', 0, 20)).toBe(false);
  answered(owners, 'acme', 3);
  expect(owners.othersAnswered('broken.com', 'acme', 0, 20)).toBe(true);
  unanswered(owners, 'acme', 1);
  expect(owners.othersAnswered('broken.com', 'acme', 0, 20)).toBe(false);
});

it('still reports the fault when another account has many silent domains', () => {
  const owners = createAnsweringOwners();
  answered(owners, 'acme', 8);
  unanswered(owners, 'flood', 1_000);
  expect(owners.othersAnswered('broken.com', 'acme', 0, 20)).toBe(true);
  expect(owners.othersAnswered('broken.com', 'flood', 0, 20)).toBe(false);
});

it('does not report a fault only because another account’s domains are answered', () => {
  const owners = createAnsweringOwners();
  answered(owners, 'flood', 1_000);
  unanswered(owners, 'acme', 4);
  expect(owners.othersAnswered('broken.com', 'acme', 0, 20)).toBe(false);
});

it('counts control questions for every account', () => {
  const owners = createAnsweringOwners();
  answered(owners, CONTROL, 5);
  expect(owners.othersAnswered('broken.com', 'acme', 1_000, 1_500)).toBe(true);
});
