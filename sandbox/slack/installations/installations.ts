import { randomBytes } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { BotUser } from '../workspace/fixtures.ts';

/** What the app is installed in: one workspace, or all workspaces of an enterprise. */
export interface Place {
  kind: 'workspace' | 'enterprise';
  id: string;
}

interface IssuedToken {
  accessToken: string;
  /** With token rotation. Can be used once. */
  refreshToken?: string;
  refreshed?: boolean;
  /** In milliseconds. A token without it never expires. */
  expiresAt?: number;
  revoked?: boolean;
}

export interface Installation {
  place: Place;
  /** The id of the person who allowed it. */
  installedBy: string;
  scopes: string[];
  bot: BotUser;
  status: 'active' | 'replaced' | 'removed';
  /** The workspaces of the enterprise that the app is not let into. */
  shutOutOf?: string[];
  /** The oldest first. */
  tokens: IssuedToken[];
}

interface InstallationsOptions {
  clock: () => Date;
  /** Whether tokens expire and are refreshed. */
  tokenRotation: boolean;
  onChange: () => void;
  saved?: Installation[];
}

export const TOKEN_LIFETIME_SECONDS = 43_200;
/** After a refresh the token before it stays valid until it expires. */
const MAX_ACTIVE_TOKENS = 2;

/** The installations of the app with their tokens, former ones included. Slack: oauth.v2.access. */
export class Installations {
  readonly #options: InstallationsOptions;
  readonly #all: Installation[];
  readonly #fixed = new Set<Installation>();
  readonly #codes: Codes;

  constructor(options: InstallationsOptions) {
    this.#options = options;
    this.#codes = new Codes(options.clock);
    this.#all = [...(options.saved ?? [])];
  }

  /** What a restart keeps. */
  get saved(): Installation[] {
    return this.#all.filter((installation) => !this.#fixed.has(installation));
  }

  /** Every access and refresh token, valid or not. */
  get tokens(): string[] {
    return this.#all
      .flatMap(({ tokens }) => tokens)
      .flatMap(({ accessToken, refreshToken }) =>
        refreshToken === undefined ? [accessToken] : [accessToken, refreshToken],
      );
  }

  /** Returns the installation that serves a workspace: the enterprise's, else its own. */
  covering(team: { id: string; enterprise?: { id: string } }): Installation | undefined {
    const wide = team.enterprise && this.at({ kind: 'enterprise', id: team.enterprise.id });
    return wide && reaches(wide, team) ? wide : this.at({ kind: 'workspace', id: team.id });
  }

  at(place: Place): Installation | undefined {
    return this.#all.find(
      (each) => each.status === 'active' && each.place.kind === place.kind && each.place.id === place.id,
    );
  }

  /** Adds an installation whose token never changes. It is not saved. */
  addFixed(installation: Omit<Installation, 'status' | 'tokens'>, accessToken: string): void {
    const fixed: Installation = { ...installation, status: 'active', tokens: [{ accessToken }] };
    this.#fixed.add(fixed);
    this.#all.push(fixed);
  }

  /**
   * Returns the installation of an access token. Throws `invalid_auth`, `token_revoked`, `account_inactive` after the app was
   * removed, `token_expired`.
   */
  ofToken(accessToken: string): Installation {
    const [installation, token] = this.#find((each) => each.accessToken === accessToken);
    if (!installation || !token) {
      throw new ApiError('invalid_auth');
    }
    if (token.revoked) {
      throw new ApiError('token_revoked');
    }
    if (installation.status === 'removed') {
      throw new ApiError('account_inactive');
    }
    if (token.expiresAt !== undefined && token.expiresAt <= this.#now()) {
      throw new ApiError('token_expired');
    }
    return installation;
  }

  /** Returns the installation of a token, valid or not. */
  find(accessToken: string): Installation | undefined {
    return this.#find((each) => each.accessToken === accessToken)[0];
  }

  /** Returns a code that the app can exchange for tokens, once within ten minutes. */
  consent(consent: Consent): string {
    return this.#codes.issue(consent);
  }

  /**
   * Exchanges a code for a new installation, which replaces a former one of the same place and revokes its tokens. Throws
   * `invalid_code`, `code_already_used`, `bad_redirect_uri`.
   */
  exchange(code: string, redirectUri: string | undefined): Installation {
    const { place, installedBy, scopes, bot } = this.#codes.redeem(code, redirectUri);
    const former = this.at(place);
    if (former) {
      former.status = 'replaced';
      revokeAll(former);
    }
    const installation: Installation = {
      place,
      installedBy,
      scopes,
      bot,
      status: 'active',
      tokens: [this.#newToken(place)],
    };
    this.#all.push(installation);
    this.#options.onChange();
    return installation;
  }

  /** Replaces the tokens of an installation. Throws `invalid_refresh_token`, also for one that was used before. */
  refresh(refreshToken: string): Installation {
    const [installation, token] = this.#find((each) => each.refreshToken === refreshToken);
    if (!token || installation?.status !== 'active' || token.refreshed || token.revoked) {
      throw new ApiError('invalid_refresh_token');
    }
    token.refreshed = true;
    installation.tokens.push(this.#newToken(installation.place));
    for (const older of installation.tokens.slice(0, -MAX_ACTIVE_TOKENS)) {
      older.revoked = true;
    }
    this.#options.onChange();
    return installation;
  }

  /** Takes a workspace out of an installation of its enterprise, or adds it again. */
  setAccess(installation: Installation, teamId: string, hasAccess: boolean): void {
    const others = (installation.shutOutOf ?? []).filter((id) => id !== teamId);
    installation.shutOutOf = hasAccess ? others : [...others, teamId];
    this.#options.onChange();
  }

  /** Removes the app. Its tokens answer `account_inactive`. */
  remove(installation: Installation): void {
    installation.status = 'removed';
    this.#options.onChange();
  }

  /** Revokes all tokens of an installation. They answer `token_revoked`. */
  revoke(installation: Installation): void {
    revokeAll(installation);
    this.#options.onChange();
  }

  #newToken(place: Place): IssuedToken {
    const secret = randomBytes(18).toString('hex');
    if (!this.#options.tokenRotation) {
      return { accessToken: `xoxb-${place.id}-${secret}` };
    }
    return {
      accessToken: `xoxe.xoxb-1-${secret}`,
      refreshToken: `xoxe-1-${randomBytes(18).toString('hex')}`,
      expiresAt: this.#now() + TOKEN_LIFETIME_SECONDS * 1000,
    };
  }

  #find(isWanted: (token: IssuedToken) => boolean): [Installation, IssuedToken] | [undefined, undefined] {
    for (const installation of this.#all) {
      const token = installation.tokens.find(isWanted);
      if (token) {
        return [installation, token];
      }
    }
    return [undefined, undefined];
  }

  #now(): number {
    return this.#options.clock().getTime();
  }
}

/** Whether an installation serves a workspace. */
export function reaches(
  { place, shutOutOf = [] }: Installation,
  team: { id: string; enterprise?: { id: string } },
): boolean {
  return place.kind === 'enterprise'
    ? team.enterprise?.id === place.id && !shutOutOf.includes(team.id)
    : team.id === place.id;
}

function revokeAll(installation: Installation): void {
  for (const token of installation.tokens) {
    token.revoked = true;
  }
}

/** What a person allowed on the authorize page, until the app exchanges its code. */
interface Consent {
  place: Place;
  installedBy: string;
  scopes: string[];
  bot: BotUser;
  /** As the app sent it. */
  redirectUri: string | undefined;
}

const VALID_MS = 10 * 60_000;

/** The codes with which people return from the authorize page. Each can be redeemed once, within ten minutes. */
class Codes {
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
