import { randomBytes } from 'node:crypto';
import { ApiError } from '../api-error.ts';
import type { BotUser } from '../workspace/fixtures.ts';
import type { Place } from './installations.ts';

/** What a person allowed on the authorize page, until the app exchanges its code. */
export interface Consent {
  place: Place;
  installedBy: string;
  scopes: string[];
  bot: BotUser;
  /** As the app sent it. */
  redirectUri: string | undefined;
}

const VALID_MS = 10 * 60_000;

/** The codes with which people return from the authorize page. Each can be redeemed once, within ten minutes. */
export class Codes {
  readonly #clock: () => Date;
  readonly #issued = new Map<string, Consent & { at: number; used: boolean }>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  issue(consent: Consent): string {
    const code = randomBytes(20).toString('hex');
    this.#issued.set(code, { ...consent, at: this.#clock().getTime(), used: false });
    return code;
  }

  /** Throws `invalid_code`, `code_already_used`, `bad_redirect_uri`. */
  redeem(code: string, redirectUri: string | undefined): Consent {
    const consent = this.#issued.get(code);
    if (!consent || this.#clock().getTime() - consent.at > VALID_MS) {
      throw new ApiError('invalid_code');
    }
    if (consent.used) {
      throw new ApiError('code_already_used');
    }
    if (consent.redirectUri !== redirectUri) {
      throw new ApiError('bad_redirect_uri');
    }
    consent.used = true;
    return consent;
  }
}
