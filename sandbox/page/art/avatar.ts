import { html, type TemplateResult } from 'lit';
import type { Person } from '../../slack/protocol.ts';

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
  return html`<span class="avatar app ${size}" aria-hidden="true">
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round">
      <circle cx="6" cy="6" r="2.1" />
      <circle cx="14" cy="6" r="2.1" />
      <path d="M6 8.2c0 5 8 2 8 7.3" />
      <circle cx="14" cy="15.6" r="1" fill="currentColor" />
      <path d="M5 15.6h2" />
    </svg>
  </span>`;
}
