import { expect, it } from 'vitest';
import { html, prose } from './html.ts';

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
