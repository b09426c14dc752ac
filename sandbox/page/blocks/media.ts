import { html, nothing, type TemplateResult } from 'lit';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { objectAt, textAt } from '../json.ts';
import { safeAddress } from '../text/nodes.ts';

/** Where an image is: its address, or that of a file in the sandbox. Only pictures of this machine are loaded. */
function imageAddress(image: JsonObject): string | undefined {
  const file = objectAt(image, 'slack_file');
  const given = stringAt(image, 'image_url') ?? stringAt(file, 'url');
  const id = stringAt(file, 'id');
  const address = given ?? (id ? `/sandbox/files/${encodeURIComponent(id)}` : undefined);
  if (!address) {
    return undefined;
  }
  if (/^data:image\/(png|jpeg|gif|webp);base64,/.test(address)) {
    return address;
  }
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : undefined;
  return url && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) ? url.href : undefined;
}

export function drawImageElement(image: JsonObject, className: string): TemplateResult {
  const words = stringAt(image, 'alt_text') ?? '';
  const address = imageAddress(image);
  return address
    ? html`<img class=${className} src=${address} alt=${words} />`
    : html`<span class="${className} no-image" role="img" aria-label=${words} title=${words}>${icon('eye')}</span>`;
}

export function drawImage(block: JsonObject): TemplateResult {
  const title = textAt(block, 'title');
  const words = stringAt(block, 'alt_text') ?? '';
  const address = imageAddress(block);
  return html`<figure class="block-image">
    ${title ? html`<figcaption>${title}</figcaption>` : nothing}
    ${
      address
        ? html`<img src=${address} alt=${words} />`
        : html`<div class="no-image" role="img" aria-label=${words}>
          ${icon('eye')} ${words}<small>Pictures from elsewhere are not loaded here.</small>
        </div>`
    }
  </figure>`;
}

export function drawVideo(block: JsonObject): TemplateResult {
  const address = safeAddress(stringAt(block, 'title_url') ?? stringAt(block, 'video_url') ?? '');
  const title = textAt(block, 'title');
  return html`<figure class="block-image">
    <figcaption>
      ${address ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${title}</a>` : title}
    </figcaption>
    ${textAt(block, 'description')}
  </figure>`;
}
