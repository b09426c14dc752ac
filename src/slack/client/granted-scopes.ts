export interface MissingScope {
  scope: string;
  /** What the app does with it: completes *It …*. */
  use: string;
}

/** What Slack does not let the app do in a workspace, or not for long. */
export interface MissingGrant {
  /** The scopes that the app cannot do without and was not granted, with what each is for. */
  scopes: readonly MissingScope[];
  /** Those that were left out and that single features need. */
  optional: readonly MissingScope[];
  /** When the token ends that Slack refuses to renew. */
  endsAt?: Date | undefined;
  /** The page that reinstalls the app. Undefined if its URL isn't configured. */
  installAddress?: URL | undefined;
}

/** Returns the missing scopes of a workspace's installation; undefined if it has them all. */
export type FindMissingGrant = (workspaceId: string) => Promise<MissingGrant | undefined>;
