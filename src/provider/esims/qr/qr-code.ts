import { z } from 'zod';
import type { Secret } from '../../../lib/secret.ts';
import type { Outcome } from '../../errors.ts';
import { startDeadline } from '../../http/deadline.ts';
import type { Timing } from '../../http/timing.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../../request/request-sender.ts';
import { providerError } from '../../response/error-messages.ts';
import { wholeActivationCode } from '../activation-code.ts';
import { activationCodePattern, esimReference, fetchProfile } from '../esim-operations.ts';
import { drawQrCode } from './draw-qr-code.ts';
import { findInBytes, findInJson, type ProviderImage, type QrCodeSearch } from './find-qr-code.ts';

/** The QR code that a phone scans to install an eSIM. */
export interface EsimQrCode {
  /** Drawn from the activation code: a PNG of at least 400 px. Without one, the provider's image, of at most 1 MB. */
  readonly image: ProviderImage;
  /** The code's content, `LPA:1$…`, to be typed where it cannot be scanned. Absent if the image is the provider's. */
  readonly activationCode?: Secret | undefined;
}

export type FetchQrCode = (
  input: { readonly iccid: string },
  options?: RequestOptions,
) => Promise<Outcome<EsimQrCode>>;

/**
 * Fetches the QR code of an eSIM (API §4.13.6). The activation code in the response, or else in the profile, is drawn, so
 * that any phone can scan it. Where neither has one, the provider's image is passed on unread: it may be too small, and
 * hold anything.
 */
export function createQrCode(
  request: RequestSender,
  { baseUrl, totalTimeout, timing }: { baseUrl: URL; totalTimeout: number; timing: Timing },
): FetchQrCode {
  return async (input, options) => {
    const { signal, clear: lift } = startDeadline(totalTimeout, timing, options?.signal);
    try {
      const response = await request(fetchQrCode, input, { signal });
      if (response.kind !== 'accepted' && !hasNoCode(response)) {
        return response;
      }
      const { code, image, addresses = [] } = response.kind === 'accepted' ? response.value : {};
      if (code) {
        return drawn(code);
      }
      const profile = await request({ ...fetchProfile, name: fetchQrCode.name }, input, { signal });
      const built = profile.kind === 'accepted' ? wholeActivationCode(profile.value) : undefined;
      if (built) {
        return drawn(built);
      }
      if (image) {
        return { kind: 'accepted', value: { image } };
      }

      const [path] = addresses.flatMap((address) => pathUnder(baseUrl, address) ?? []);
      const fetched = path === undefined ? undefined : await request(fetchImage, { path }, { signal });
      if (fetched?.kind === 'accepted' && fetched.value.code) {
        return drawn(fetched.value.code);
      }
      if (fetched?.kind === 'accepted' && fetched.value.image) {
        return { kind: 'accepted', value: { image: fetched.value.image } };
      }
      // The error about the QR code tells more than the error about the profile.
      if (response.kind !== 'accepted') {
        return response;
      }
      return profile.kind === 'accepted' ? nothingToShow : profile;
    } finally {
      lift();
    }
  };
}

const search = { answer: z.unknown().transform(findInJson), fromBytes: findInBytes };

const fetchQrCode: ProviderOperation<{ iccid: string }, QrCodeSearch> = {
  name: 'esims.qrCode',
  input: esimReference,
  redact: () => ({ code: activationCodePattern }),
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/activate/${iccid}/qr/code`, query: {} }),
  expect: () => search,
};

const fetchImage: ProviderOperation<{ path: string }, QrCodeSearch> = {
  name: fetchQrCode.name,
  input: z.object({ path: z.string() }),
  redact: () => ({ code: activationCodePattern }),
  request: ({ path }) => ({ method: 'GET', path, query: {} }),
  expect: () => search,
};

/** Whether the provider works but has no QR code. */
function hasNoCode(response: Exclude<Outcome<unknown>, { kind: 'accepted' }>): boolean {
  const { kind, error } = response;
  if (kind === 'not_sent') {
    return false;
  }
  return error.status === 404 || error.reason === 'empty_answer' || error.reason === 'unreadable_answer';
}

/** The path of a URL under the provider's base URL. No other host is contacted, because the token would leak to it. */
function pathUnder(baseUrl: URL, address: string): string | undefined {
  if (!URL.canParse(address)) {
    return undefined;
  }
  const { origin, pathname, search } = new URL(address);
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  if (origin !== baseUrl.origin || !pathname.startsWith(`${prefix}/`)) {
    return undefined;
  }
  return pathname.slice(prefix.length) + search;
}

function drawn(activationCode: Secret): Outcome<EsimQrCode> {
  const image = { bytes: drawQrCode(activationCode.reveal()), format: 'png' } as const;
  return { kind: 'accepted', value: { image, activationCode } };
}

const nothingToShow: Outcome<EsimQrCode> = {
  kind: 'unconfirmed',
  error: providerError('unconfirmed', {
    operation: fetchQrCode.name,
    reason: 'unreadable_answer',
    detail:
      'It holds no activation code and no image, and the eSIM’s profile holds no activation code to draw.',
  }),
};
