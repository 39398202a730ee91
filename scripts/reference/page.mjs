/** Renders the API reference: one page, readable without a script, made from the contract alone. */
import { listEndpoints } from './document.mjs';
import { endpointSection } from './endpoint.mjs';
import { authentication, errorCodes, introduction, limits, reasonCodes, verdicts } from './guide.mjs';
import { MANAGEMENT, management } from './guide-management.mjs';
import { html } from './html.mjs';

/** The whole HTML text. Its links are relative to the page's own address. */
export function renderPage(document, examples) {
  const { title, summary } = document.info;
  const endpoints = listEndpoints(document);
  const sections = endpoints.map((endpoint) =>
    endpointSection(endpoint, document, examples[endpoint.operation.operationId] ?? {}),
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} API reference</title>
<meta name="description" content="${summary}">
<link rel="icon" type="image/svg+xml" href="docs/icon.svg">
<link rel="stylesheet" href="docs/docs.css">
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
${navigation(document)}
<main id="main" tabindex="-1">
${introduction(document)}${authentication()}${verdicts()}${limits()}
${sections.filter((_, at) => !isManaged(endpoints[at]))}
${management(document)}${sections.filter((_, at) => isManaged(endpoints[at]))}
${errorCodes(document)}${reasonCodes()}
<footer><a href="notices">Third-party notices</a> · <a href="https://db-ip.com/">IP Geolocation by DB-IP</a></footer>
</main>
</body>
</html>
`.toString();
}

function navigation(document) {
  const item = ({
    method,
    operation,
  }) => html`<li><a href="#${operation.operationId}"><span class="method">${method}</span>
${operation.summary}</a></li>`;
  const endpoints = listEndpoints(document);
  const operations = endpoints.filter((endpoint) => !isManaged(endpoint)).map(item);
  const managed = endpoints.filter(isManaged).map(item);
  const link = (id, words) => html`<li><a href="#${id}">${words}</a></li>`;
  return html`<header>
<a class="brand" href="#main"><img src="docs/icon.svg" alt="" width="22" height="22"> ${document.info.title}
<span>API ${document.info.version}</span></a>
<nav aria-label="Reference">
<h2>Guide</h2><ul>${link('introduction', 'Introduction')}${link('authentication', 'Authentication')}
${link('verdicts', 'Verdicts')}${link('limits', 'Limits')}</ul>
<h2>Operations</h2><ul>${operations}</ul>
<h2>${MANAGEMENT}</h2><ul>${link('management', 'Tokens and errors')}${managed}</ul>
<h2>Codes</h2><ul>${link('errors', 'Errors')}${link('reasons', 'Reason codes')}</ul>
<h2>Machine-readable</h2><ul><li><a href="openapi.json">OpenAPI 3.1</a></li></ul>
</nav>
</header>`;
}

function isManaged({ operation }) {
  return operation.tags.includes(MANAGEMENT);
}
