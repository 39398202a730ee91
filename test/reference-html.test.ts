/** Escapes what goes into the API reference. */
import { expect, it } from 'vitest';
import { code, html, prose } from '../scripts/reference/html.mjs';

it('escapes all interpolated text', () => {
  expect(html`<p title="${`"'`}">${'<script>&'}</p>`.toString()).toBe(
    '<p title="&quot;&#39;">&lt;script&gt;&amp;</p>',
  );
});

it('keeps markup, joins lists and leaves out undefined values', () => {
  expect(html`${html`<b>${1}</b>`}${['<', html`<i></i>`]}${undefined}`.toString()).toBe(
    '<b>1</b>&lt;<i></i>',
  );
});

it('turns words in back-ticks into code, which is escaped as well', () => {
  expect(prose('send `<x>` & wait').toString()).toBe('send <code>&lt;x&gt;</code> &amp; wait');
});

it('lets code break after a slash, a dot or a space only', () => {
  const token = (text: string) => `<span class="token">${text}</span>`;
  expect(code('X-Request-Id').toString()).toBe(`<code>${token('X-Request-Id')}</code>`);
  expect(code('GET /v1/keys/{key}', 'name').toString()).toBe(
    `<code class="name">${token('GET')} ${token('/v1/')}<wbr>${token('keys/')}<wbr>${token('{key}')}</code>`,
  );
  expect(code('domain_age_days').toString()).toBe('<code>domain_age_days</code>');
  expect(code('a-<b>').toString()).toBe(`<code>${token('a-&lt;b&gt;')}</code>`);
});
