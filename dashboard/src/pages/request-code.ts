/** Writes one assessment request as curl, JavaScript and Python, quoted so that it can be pasted as it is. */
/** Members of the request, as the pages send it. */
export type ExampleRequest = { readonly email: string; readonly ip?: string; readonly session_id?: string };

export interface RequestCode {
  readonly origin: string;
  readonly key: string;
  readonly request: ExampleRequest;
}

export function curlOf({ origin, key, request }: RequestCode): string {
  const body = JSON.stringify(request).replaceAll("'", `'\\''`);
  return [
    `curl ${origin}/v1/assess \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}

export function javascriptOf({ origin, key, request }: RequestCode): string {
  return [
    `const response = await fetch('${origin}/v1/assess', {`,
    `  method: 'POST',`,
    `  headers: {`,
    `    Authorization: 'Bearer ${key}',`,
    `    'Content-Type': 'application/json',`,
    `  },`,
    `  body: JSON.stringify(${indented(request, '  ')}),`,
    `  signal: AbortSignal.timeout(3000),`,
    `});`,
    `const { verdict, score, reasons } = await response.json();`,
  ].join('\n');
}

export function pythonOf({ origin, key, request }: RequestCode): string {
  return [
    `import requests`,
    ``,
    `response = requests.post(`,
    `    '${origin}/v1/assess',`,
    `    headers={'Authorization': 'Bearer ${key}'},`,
    `    json=${indented(request, '    ')},`,
    `    timeout=3,`,
    `)`,
    `assessment = response.json()`,
  ].join('\n');
}

/** JSON of strings alone is also JavaScript and Python. */
function indented(value: unknown, by: string): string {
  return JSON.stringify(value, null, by.length).replaceAll('\n', `\n${by}`);
}
