import { createHash } from 'node:crypto';

/** The style of all pages, in the page itself: the browser loads nothing else. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #1c2024; --soft: #57606a; --paper: #ffffff; --sunk: #f4f6f5; --line: #dfe2e6;
  --accent: #0b7261; --accent-strong: #085b4d; --on-accent: #ffffff; --amber: #e9b44c; --on-amber: #221a06;
  --wash: #e6f1ee; --focus: #1878c9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #dfe3e8; --soft: #a3acb6; --paper: #181b1f; --sunk: #121417; --line: #343a41;
    --accent: #2aa58d; --accent-strong: #4cc3aa; --on-accent: #06211c; --amber: #d8a440; --on-amber: #221a06;
    --wash: #14302b; --focus: #6fb6f2;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); line-height: 1.6; overflow-wrap: break-word;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-strong); }
a:focus-visible, button:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; border-radius: 4px; }
h1 { font-size: clamp(1.9rem, 1.4rem + 2.4vw, 3rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 1.05rem; margin: 0 0 0.25rem; }
p { margin: 0 0 1rem; }
li { margin-bottom: 0.4rem; }
code { background: var(--sunk); border: 1px solid var(--line); border-radius: 4px; padding: 0.05em 0.35em; font-size: 0.92em; }
.band { padding: 0 1.25rem; }
.inner { max-width: 68rem; margin: 0 auto; }
.text .inner { max-width: 44rem; }
.top .inner { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 4.5rem; }
.brand { display: inline-flex; align-items: center; gap: 0.65rem; color: var(--ink); font-weight: 700; font-size: 1.15rem; text-decoration: none; }
.brand svg { width: 2.25rem; height: 2.25rem; }
.logo-back { fill: var(--amber); }
.logo-line { stroke: var(--on-amber); }
.logo-dot { fill: var(--on-amber); }
main.band { flex: 1; padding-top: 1.5rem; padding-bottom: 3.5rem; }
.lead { font-size: 1.15rem; color: var(--soft); max-width: 36rem; }
.note { font-size: 0.95rem; color: var(--soft); }
.hero { display: grid; gap: 2.5rem; align-items: center; }
.hero svg { width: 100%; height: auto; max-width: 34rem; display: block; margin: 0 auto; }
.button {
  display: inline-flex; align-items: center; gap: 0.7rem; min-height: 3rem; padding: 0.55rem 1.3rem; margin: 0.5rem 0 1rem;
  border-radius: 8px; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 700; text-decoration: none; cursor: pointer;
}
.button:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
.button.slack { background: var(--paper); border-color: var(--line); color: var(--ink); box-shadow: 0 1px 3px #00000026; }
.button.slack:hover { background: var(--sunk); border-color: var(--soft); color: var(--ink); }
.button.slack svg { width: 1.35rem; height: 1.35rem; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); list-style: none; margin: 0; padding: 0; }
.cards li { border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.25rem; margin: 0; }
.cards p { margin: 0; color: var(--soft); }
.promises { background: var(--wash); border-radius: 16px; padding: 1.75rem clamp(1.25rem, 4vw, 2.5rem); margin-top: 2.5rem; }
.promises h2 { margin-top: 0; }
.promises ul { margin: 0; padding-left: 1.2rem; }
dl { margin: 0 0 1.5rem; border-top: 1px solid var(--line); }
dt { padding-top: 0.7rem; font-weight: 600; }
dd { margin: 0; padding-bottom: 0.7rem; border-bottom: 1px solid var(--line); color: var(--soft); }
.foot { border-top: 1px solid var(--line); background: var(--sunk); color: var(--soft); }
.foot .inner { display: flex; flex-wrap: wrap; gap: 0.4rem 1.75rem; padding: 1.5rem 0; }
.foot a { padding: 0.35rem 0; }
.p-card { fill: var(--paper); stroke: var(--line); }
.p-front { filter: drop-shadow(0 6px 14px #00000026); }
.p-ink { fill: var(--ink); }
.p-soft { fill: var(--soft); }
.p-accent { fill: var(--accent); }
.p-on-accent { fill: var(--on-accent); }
.p-wash { fill: var(--wash); }
.p-track { fill: var(--line); }
.p-line { stroke: var(--line); }
.p-outline { fill: none; stroke: var(--soft); }
.picture text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-size: 15px; }
.picture .p-bold { font-weight: 700; }
.picture .p-small { font-size: 13px; }
.picture .p-title { font-weight: 700; font-size: 18px; }
@media (min-width: 56rem) {
  .hero { grid-template-columns: 1fr 1fr; gap: 3.5rem; padding: 2rem 0 1rem; }
}
@media (forced-colors: active) {
  .button, .cards li { border: 1px solid ButtonText; }
}
@media print {
  .button { display: none; }
}
`;

/** The hash by which a `Content-Security-Policy` allows the style, and no other. */
export const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
