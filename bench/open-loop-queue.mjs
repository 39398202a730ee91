// A queue whose `shift` costs the same however long it is: that of an array copies what stays.
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
