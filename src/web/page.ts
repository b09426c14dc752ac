import type { ServerResponse } from 'node:http';
import { Html, html } from './html.ts';
import { logo } from './pictures.ts';
import { contentSecurityPolicy } from './security-headers.ts';
import { style, styleHash } from './style.ts';

interface PageContent {
  /** Of the browser's tab, with the app's name behind it; the page's own heading is part of the body. */
  title: string;
  description?: string | undefined;
  /** Inserted into `main`. */
  body: Html;
  /** Whether the page has the width of a text. Default: yes. */
  isText?: boolean | undefined;
}

/** Returns a whole page: no script, and nothing that is loaded from elsewhere. */
export function renderPage({ title, description, body, isText = true }: PageContent): string {
  const about =
    description === undefined ? undefined : html`<meta name="description" content="${description}">`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Switchboard</title>
${about}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${new Html(style)}</style>
</head>
<body class="${isText ? 'text' : 'wide'}">
<header class="band top"><div class="inner"><a class="brand" href="/">${logo}Switchboard</a></div></header>
<main class="band"><div class="inner">
${body}
</div></main>
<footer class="band foot"><div class="inner"><a href="/">Switchboard</a><a href="/privacy">Privacy</a><a href="/support">Support</a></div></footer>
</body>
</html>
`.source;
}

const policy = contentSecurityPolicy(styleHash);
const policyWithForm = contentSecurityPolicy(styleHash, { hasForm: true });

/** Answers with a page. `hasForm`: allows the browser to send its form. `cacheSeconds`: for pages that are the same for all. */
export function sendPage(
  response: ServerResponse,
  status: number,
  text: string,
  options: { cacheSeconds?: number | undefined; hasForm?: boolean | undefined } = {},
): void {
  const { cacheSeconds, hasForm = false } = options;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'content-security-policy': hasForm ? policyWithForm : policy,
    ...(cacheSeconds === undefined ? {} : { 'cache-control': `public, max-age=${cacheSeconds}` }),
  });
  response.end(text);
}
