import { html, svg, type TemplateResult } from 'lit';
import type { Person } from '../../slack/protocol.ts';

const paths = {
  down: 'm6 8 4 4 4-4',
  back: 'm12 5-5 5 5 5',
  close: 'm6 6 8 8m0-8-8 8',
  plus: 'M10 4.5v11M4.5 10h11',
  check: 'm5 10.5 3.5 3.5L15.5 6.5',
  more: 'M10 5v.01M10 10v.01M10 15v.01',
  send: 'M3.5 10 3 4l14 6-14 6 .5-6Zm0 0h6',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  inspect: 'M3.5 5h13v10h-13ZM12 5v10',
  hash: 'M8 4 6.5 16M13.5 4 12 16M4 8h12.5M3.5 12.5H16',
  lock: 'M5.5 9h9v7h-9ZM7.5 9V7a2.5 2.5 0 0 1 5 0v2',
  archive: 'M3.5 5h13v3h-13ZM5 8v7h10V8M8.5 11h3',
  reply: 'M8 5 4 9l4 4M4 9h7c3 0 5 2 5 5',
  eye: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5Zm7.5-2a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z',
  copy: 'M7 7h9v9H7ZM4 13V4h9',
  file: 'M6 3h6l3 3v11H6ZM12 3v3h3',
  bolt: 'M11 3 5 11h4l-1 6 6-8h-4Z',
  call: 'M5 3.5h2.5l1.5 4-2 1.2a8 8 0 0 0 4.3 4.3l1.2-2 4 1.5V15a1.6 1.6 0 0 1-1.7 1.6C8.6 16.2 3.8 11.4 3.4 5.2A1.6 1.6 0 0 1 5 3.5Z',
  clock: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm0 3.5V10l2.5 2',
  alert: 'M10 3 2.5 16.5h15ZM10 8v4m0 2v.01',
} as const;

export type IconName = keyof typeof paths;

/** Draws an icon in the text colour. Hidden from screen readers, since text always stands beside it. */
export function icon(name: IconName): TemplateResult {
  return svg`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentColor"
    stroke-width=${name === 'more' ? 2.6 : 1.7} stroke-linecap="round" stroke-linejoin="round"><path d=${paths[name]} /></svg>`;
}

const hues = [12, 200, 150, 275, 330, 45, 95, 240];

/** Draws a person's initials on a colour derived from their id. */
export function drawAvatar(person: Person | undefined, size: 'small' | 'large'): TemplateResult {
  const name = person?.realName || person?.name || '?';
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('');
  const sum = Array.from(person?.id ?? '').reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return html`<span class="avatar ${size}" style="--hue: ${hues[sum % hues.length] ?? 0}" aria-hidden="true">${initials}</span>`;
}

/** Draws the app's logo: a plug on a switchboard. */
export function drawAppAvatar(size: 'small' | 'large'): TemplateResult {
  return html`<span class="avatar ${size}" style="background: #e9b44c; color: #221a06" aria-hidden="true">
    <svg viewBox="0 0 20 20" width="78%" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round">
      <circle cx="6" cy="6" r="2.1" />
      <circle cx="14" cy="6" r="2.1" />
      <path d="M6 8.2c0 5 8 2 8 7.3" />
      <circle cx="14" cy="15.6" r="1" fill="currentColor" />
      <path d="M5 15.6h2" />
    </svg>
  </span>`;
}
