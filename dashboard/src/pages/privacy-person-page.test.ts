import { expect, it } from 'vitest';
import { personPage } from './privacy-person-page.ts';

it('is a page of its own, in which no text is markup', () => {
  const page = personPage([
    { title: 'Your <signup>', sentences: ['Note: “<script>alert(1)</script> & "more"”'] },
  ]);
  expect(page).toContain('<h2>Your &lt;signup&gt;</h2>');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;');
  expect(page).not.toMatch(/<script|src=|href=|@import|url\(/);
});
