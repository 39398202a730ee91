import { expect, it } from 'vitest';
import { html, prose } from './html.ts';

it('escapes whatever is interpolated', () => {
  expect(html`<p title="${`"'`}">${'<script>&'}</p>`.toString()).toBe(
    '<p title="&quot;&#39;">&lt;script&gt;&amp;</p>',
  );
});

it('keeps markup, joins lists and leaves out what is undefined', () => {
  expect(html`${html`<b>${1}</b>`}${['<', html`<i></i>`]}${undefined}`.toString()).toBe(
    '<b>1</b>&lt;<i></i>',
  );
});

it('makes code of back-ticked words, escaped as well', () => {
  expect(prose('send `<x>` & wait').toString()).toBe('send <code>&lt;x&gt;</code> &amp; wait');
});
