import { z } from 'zod';
import type { Secret } from '../../../lib/secret.ts';
import { providerError } from '../../errors.ts';
import { startDeadline } from '../../http/deadline.ts';
import type { Timing } from '../../http/timing.ts';
import type { Outcome } from '../../outcome.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../../request/request-sender.ts';
import { wholeActivationCode } from '../activation-code.ts';
import { activationCodePattern, esimReference, fetchProfile } from '../esim-operations.ts';
import { drawQrCode } from './draw-qr-code.ts';
import { type ActivationCodeSearch, findInBytes, findInJson } from './find-activation-code.ts';

/** What a phone scans to install an eSIM. */
interface EsimQrCode {
  /** Black on white, 400 px wide or a little more, with its quiet zone. */
  readonly png: Uint8Array;
  /** What is on it: `LPA:1$…`, to be typed in where scanning is not possible. */
  readonly activationCode: Secret;
}

export type FetchQrCode = (
  input: { readonly iccid: string },
  options?: RequestOptions,
) => Promise<Outcome<EsimQrCode>>;

/**
 * Gets the QR code of an eSIM (API §4.13.6). Whatever image the provider gives is read and drawn anew, so that a small,
 * blurred or marginless one becomes one that any phone can scan, and none is passed on that says something else. Where
 * there is none that can be read (a JPEG cannot), the code is drawn from the profile.
 */
export function createQrCode(
  call: RequestSender,
  { baseUrl, totalTimeout, timing }: { baseUrl: URL; totalTimeout: number; timing: Timing },
): FetchQrCode {
  return async (input, options) => {
    const { signal, clear: lift } = startDeadline(totalTimeout, timing, options?.signal);
    try {
      const answered = await call(askForCode, input, { signal });
      if (answered.kind !== 'accepted' && !isWithoutCode(answered)) {
        return answered;
      }
      const { code, addresses = [] } = answered.kind === 'accepted' ? answered.value : {};
      if (code) {
        return drawn(code);
      }

      const [path] = addresses.flatMap((address) => pathUnder(baseUrl, address) ?? []);
      const fetched = path === undefined ? undefined : await call(fetchImage, { path }, { signal });
      if (fetched?.kind === 'accepted' && fetched.value.code) {
        return drawn(fetched.value.code);
      }

      const profile = await call({ ...fetchProfile, name: askForCode.name }, input, { signal });
      const made = profile.kind === 'accepted' ? wholeActivationCode(profile.value) : undefined;
      if (made) {
        return drawn(made);
      }
      // What was said of the QR code itself tells more than what was said of the profile.
      if (answered.kind !== 'accepted') {
        return answered;
      }
      return profile.kind === 'accepted' ? nothingToDraw : profile;
    } finally {
      lift();
    }
  };
}

const finding = { answer: z.unknown().transform(findInJson), fromBytes: findInBytes };

const askForCode: ProviderOperation<{ iccid: string }, ActivationCodeSearch> = {
  name: 'esims.qrCode',
  input: esimReference,
  redact: () => ({ code: activationCodePattern }),
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/activate/${iccid}/qr/code`, query: {} }),
  expect: () => finding,
};

const fetchImage: ProviderOperation<{ path: string }, ActivationCodeSearch> = {
  name: askForCode.name,
  input: z.object({ path: z.string() }),
  redact: () => ({ code: activationCodePattern }),
  request: ({ path }) => ({ method: 'GET', path, query: {} }),
  expect: () => finding,
};

/** Whether the provider is well, and merely has no QR code to give. */
function isWithoutCode(answered: Exclude<Outcome<unknown>, { kind: 'accepted' }>): boolean {
  const { kind, error } = answered;
  if (kind === 'not_sent') {
    return false;
  }
  return error.status === 404 || error.reason === 'empty_answer' || error.reason === 'unreadable_answer';
}

/** The path of an address that lies under the provider's own: no other is asked, and no other may see the token. */
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
  return { kind: 'accepted', value: { png: drawQrCode(activationCode.reveal()), activationCode } };
}

const nothingToDraw: Outcome<EsimQrCode> = {
  kind: 'unconfirmed',
  error: providerError('unconfirmed', {
    operation: askForCode.name,
    reason: 'unreadable_answer',
    detail:
      'It holds no QR code that can be read, and the eSIM’s profile holds no activation code to draw one from.',
  }),
};
