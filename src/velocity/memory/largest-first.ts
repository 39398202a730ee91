/** Decides which account is the largest: a heap whose members know their places. */

export interface HeapMember {
  /** May change by any amount between two calls of `update`. */
  records: number;
  /** Managed by the heap; below 0 if the member is not in it. */
  place: number;
}

export class LargestFirst<T extends HeapMember> {
  readonly #members: T[] = [];

  get largest(): T | undefined {
    return this.#members[0];
  }

  add(member: T): void {
    member.place = this.#members.length;
    this.#members.push(member);
    this.#rise(member);
  }

  /** Call after each change of a member's size. */
  update(member: T): void {
    if (!this.#rise(member)) this.#sink(member);
  }

  remove(member: T): void {
    const last = this.#members.pop() as T;
    if (last !== member) {
      this.#set(last, member.place);
      this.update(last);
    }
    member.place = -1;
  }

  #rise(member: T): boolean {
    const from = member.place;
    while (member.place > 0) {
      const parent = this.#members[(member.place - 1) >> 1] as T;
      if (parent.records >= member.records) break;
      this.#swap(member, parent);
    }
    return member.place < from;
  }

  #sink(member: T): void {
    for (;;) {
      const left = this.#members[member.place * 2 + 1];
      const right = this.#members[member.place * 2 + 2];
      const larger = right !== undefined && left !== undefined && right.records > left.records ? right : left;
      if (larger === undefined || larger.records <= member.records) return;
      this.#swap(member, larger);
    }
  }

  #swap(member: T, other: T): void {
    const { place } = member;
    this.#set(member, other.place);
    this.#set(other, place);
  }

  #set(member: T, place: number): void {
    this.#members[place] = member;
    member.place = place;
  }
}
