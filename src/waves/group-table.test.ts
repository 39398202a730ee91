import { describe, expect, it } from 'vitest';
import { keyOfText } from './group-key.ts';
import { DAY, GROUP_BYTES, GroupTable, HOURS, NO_GROUP } from './group-table.ts';
import { RecentPeople } from './recent-people.ts';

const AT = 1_800_000_000;
const ONE_SET = 8 * GROUP_BYTES;

describe('GroupTable', () => {
  it('counts members, and lets the counts decay by their windows', () => {
    const table = new GroupTable(64 * ONE_SET);
    const place = table.open(keyOfText('a'), 1, AT);
    for (let second = 0; second < 3; second += 1) table.add(place, AT);
    expect(table.count(place, HOURS, AT)).toBe(3);
    expect(table.count(place, HOURS, AT + 7_200)).toBeCloseTo(3 / Math.E, 5);
    expect(table.count(place, DAY, AT + 86_400)).toBeCloseTo(3 / Math.E, 5);
    expect(table.find(keyOfText('b'))).toBe(NO_GROUP);
  });

  it('has as many bytes as it says, whatever their number', () => {
    const bytes = 50_000 * ONE_SET;
    // Kept, so that none is freed while the next is made. Buffers of others may be, though hardly each time.
    const kept: GroupTable[] = [];
    const grown = Array.from({ length: 5 }, () => {
      const before = process.memoryUsage().arrayBuffers;
      const table = new GroupTable(bytes);
      const after = process.memoryUsage().arrayBuffers;
      kept.push(table);
      return table.find(keyOfText('a')) === NO_GROUP ? after - before : 0;
    });
    expect(grown).toContain(bytes);
  });

  it('counts up to a largest number, and does not begin again after it', () => {
    const table = new GroupTable(ONE_SET);
    const place = table.open(keyOfText('a'), 1, AT);
    for (let member = 0; member < 70_000; member += 1) {
      table.note(place, true, true);
      table.people.add(place, AT, keyOfText('b'), true);
      table.people.block(place);
    }
    const { people } = table;
    const counts = [table.stopped(place), table.hosting(place), people.count(place), people.named(place)];
    expect([...counts, people.blocked(place)]).toEqual(Array.from({ length: 5 }, () => 65_535));
  });

  it('estimates distinct values to a few', () => {
    const table = new GroupTable(ONE_SET);
    const place = table.open(keyOfText('a'), 1, AT);
    for (let value = 0; value < 20; value += 1)
      for (const _ of [1, 2]) table.see(place, keyOfText(`v${value}`));
    expect(table.distinct(place)).toBeGreaterThan(15);
    expect(table.distinct(place)).toBeLessThan(26);
  });

  it('forgets what came once before what has marks', () => {
    const table = new GroupTable(ONE_SET);
    const marked = keyOfText('marked');
    table.mark(table.open(marked, 1, AT));
    for (let key = 0; key < 1_000; key += 1) table.open(keyOfText(`once ${key}`), 1, AT + key);
    expect(table.find(marked)).not.toBe(NO_GROUP);
  });

  it('tells accounts apart, whatever their keys', () => {
    const table = new GroupTable(ONE_SET);
    const others = [keyOfText('other 1'), keyOfText('other 2')];
    for (const key of others) table.open(key, keyOfText('an account').low, AT);
    const flood = keyOfText('another account').low;
    for (let key = 0; key < 1_000; key += 1) table.open(keyOfText(`flood ${key}`), flood, AT + key);
    for (const key of others) expect(table.find(key)).not.toBe(NO_GROUP);
  });

  it('lets a flood of one account push out its own groups, not those of others', () => {
    const table = new GroupTable(ONE_SET);
    const others = [keyOfText('other 1'), keyOfText('other 2')];
    for (const key of others) table.open(key, 1, AT);
    for (let key = 0; key < 1_000; key += 1) table.open(keyOfText(`flood ${key}`), 2, AT + key);
    for (const key of others) expect(table.find(key)).not.toBe(NO_GROUP);
  });
});

describe('RecentPeople', () => {
  it('knows who was seen within a day', () => {
    const people = new RecentPeople(1_024);
    expect(people.note(keyOfText('a'), AT)).toBe(false);
    expect(people.note(keyOfText('a'), AT + 86_399)).toBe(true);
    expect(people.note(keyOfText('a'), AT + 2 * 86_400)).toBe(false);
    expect(people.note(keyOfText('b'), AT)).toBe(false);
  });
});
