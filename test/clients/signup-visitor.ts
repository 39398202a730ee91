/** A visitor who signs up in an application without JavaScript: with cookies, the hidden fields of the form, and a proxy before the application. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface FormAnswer {
  readonly status: number;
  /** Where the visitor is sent; empty where the form is shown again. */
  readonly location: string;
  /** The page, with its characters instead of entities. */
  readonly text: string;
}

interface FormRequest {
  readonly method?: string;
  readonly body?: URLSearchParams;
}

export interface SignupVisitor {
  /** Opens the form, and sends it. */
  signUp(fields: Readonly<Record<string, string>>): Promise<FormAnswer>;
  /** Keeps her cookies as they are now. @returns puts them back */
  keepCookies(): () => void;
}

/** @param url of the form @param ip that the proxy reports, after an address that the visitor made up @param more headers of her own */
export function createVisitor(
  url: string,
  ip: string,
  more: Readonly<Record<string, string>> = {},
): SignupVisitor {
  const cookies = new Map<string, string>();
  const send = async (init: FormRequest = {}, to = url): Promise<FormAnswer> => {
    const headers = {
      ...(init.method === 'POST' ? more : {}),
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      'x-forwarded-for': `198.51.100.9, ${ip}`,
    };
    const response = await request(to, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, text: unescapeHtml(await response.text()) };
  };
  return {
    keepCookies() {
      const kept = [...cookies];
      return () => {
        for (const [name, value] of kept) cookies.set(name, value);
      };
    },
    async signUp(fields) {
      const page = await send();
      if (page.status !== 200) throw new Error(`${url} answers ${page.status}: ${page.text.slice(0, 3_000)}`);
      const body = new URLSearchParams({ ...hiddenFields(page.text), ...fields });
      const answer = await send({ method: 'POST', body }, new URL(actionOf(page.text) ?? url, url).href);
      // Some frameworks send the visitor back to the form, which then says why.
      const isBack = answer.location !== '' && new URL(answer.location, url).href === url;
      return isBack ? { ...(await send()), location: '' } : answer;
    },
  };
}

/** As `fetch`, which sends no `Host` of its caller. */
async function request(
  url: string,
  init: FormRequest & { readonly headers: Readonly<Record<string, string>>; readonly redirect: 'manual' },
): Promise<Response> {
  if (!('host' in init.headers)) return fetch(url, init);
  const headers = { ...init.headers, 'content-type': 'application/x-www-form-urlencoded' };
  const sent = httpRequest(url, { method: init.method ?? 'GET', headers }).end(String(init.body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(await text(answer), { status: answer.statusCode ?? 0, headers: pairs });
}

/** Where the page sends its form; `undefined`: to its own address. */
function actionOf(page: string): string | undefined {
  const form =
    [...page.matchAll(/<form\b[^>]*>/g)].find(([tag]) => /method=["']post["']/.test(tag))?.[0] ?? '';
  return /\baction=["']([^"']+)["']/.exec(form)?.[1];
}

function hiddenFields(page: string): Record<string, string> {
  const inputs = [...page.matchAll(/<input\b[^>]*type=["']hidden["'][^>]*>/g)].map(([input]) => input);
  const attribute = (input: string, name: string) =>
    new RegExp(`\\b${name}=["']([^"']*)["']`).exec(input)?.[1] ?? '';
  return Object.fromEntries(inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')]));
}

function unescapeHtml(text: string): string {
  const signs: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" };
  return text
    .replace(/&#0*39;|&#x27;|&#8217;/g, "'")
    .replace(/&(amp|quot|lt|gt);/g, (_, name: string) => signs[name] ?? '');
}
