/** Files of labels as people export them: with and without a head, other separators, words of several tools. */
import { describe, expect, it } from 'vitest';
import { readLabelFile } from './feedback-label-file.ts';

const labelsOf = (text: string) =>
  readLabelFile(text).labels.map(({ signup, outcome }) => `${signup} ${outcome}`);

describe('a file of labels', () => {
  it.each([
    ['a head', 'request_id,label\nreq_1,fraud\nreq_2,good\n', ['req_1 fraud', 'req_2 good']],
    ['more columns, in any order', 'time,Label,Email\n1,Fraud,jo@example.com', ['jo@example.com fraud']],
    ['no head', 'jo@example.com,bot\nreq_2,customer', ['jo@example.com fraud', 'req_2 good']],
    ['semicolons', 'email;label\njo@example.com;fake', ['jo@example.com fraud']],
    [
      'tabs',
      'email\tis_fraud\njo@example.com\t1\nmo@example.com\t0',
      ['jo@example.com fraud', 'mo@example.com good'],
    ],
    [
      'quotes and line ends of Windows',
      '"email","label"\r\n"jo@example.com","good"\r\n',
      ['jo@example.com good'],
    ],
    [
      'the words of the API',
      'request_id,outcome\nreq_1,false_negative\nreq_2,false_positive',
      ['req_1 fraud', 'req_2 good'],
    ],
    ['a byte order mark', '\uFEFFrequest_id,label\nreq_1,fraud', ['req_1 fraud']],
    ['blanks around a cell', 'request_id , label\n req_1 , fraud ', ['req_1 fraud']],
  ])('is read with %s', (_, text, labels) => {
    expect(labelsOf(text)).toEqual(labels);
  });

  it('counts what has no label, and names the words that are none', () => {
    const { labels, empty, unknown } = readLabelFile(
      'request_id,label\nreq_1,fraud\nreq_2,\n,fraud\nreq_3,maybe\nreq_4,maybe\n',
    );
    expect([labels.length, empty, [...unknown]]).toEqual([1, 2, [['maybe', 2]]]);
  });

  it.each([
    ['no column for the signup', 'name,label\nJo,fraud', 'No column is named request_id or email'],
    ['no column for the label', 'request_id,note\nreq_1,fraud', 'No column is named label'],
    ['one column alone', 'req_1\nreq_2', 'Each row needs two columns'],
    ['no known label', 'request_id,label\nreq_1,perhaps', 'No row has a label that is known here'],
    ['nothing', '', 'No column is named request_id or email'],
  ])('is refused with %s', (_, text, message) => {
    expect(() => readLabelFile(text)).toThrow(message);
  });
});
