// A queue whose `shift` has a constant cost: an array's `shift` copies all remaining elements.
export function createQueue() {
  let items = [];
  let head = 0;
  return {
    get size() {
      return items.length - head;
    },
    first: () => items[head],
    push: (item) => items.push(item),
    shift() {
      const item = items[head];
      head += 1;
      if (head > 10_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
  };
}
