/** A visitor who signs up in an application without JavaScript: with cookies, the hidden fields of the form, and a proxy before the application. */

export interface FormAnswer {
  readonly status: number;
  /** Where the visitor is sent; empty where the form is shown again. */
  readonly location: string;
  /** The page, with its characters instead of entities. */
  readonly text: string;
}

export interface SignupVisitor {
  /** Opens the form, and sends it. */
  signUp(fields: Readonly<Record<string, string>>): Promise<FormAnswer>;
}

/** @param url of the form @param ip that the proxy reports, after an address that the visitor made up */
export function createVisitor(url: string, ip: string): SignupVisitor {
  const cookies = new Map<string, string>();
  const send = async (init: RequestInit = {}, to = url): Promise<FormAnswer> => {
    const headers = {
      ...init.headers,
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      'x-forwarded-for': `198.51.100.9, ${ip}`,
    };
    const response = await fetch(to, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, text: unescapeHtml(await response.text()) };
  };
  return {
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
