/** What Slack does not let the app do in a workspace, or not for long. */
export interface MissingGrant {
  /** The scopes that the app needs and was not granted, with what each is for. Optional ones are not among them. */
  scopes: readonly { scope: string; use: string }[];
  /** When the token ends that Slack refuses to renew. */
  endsAt?: Date | undefined;
  /** The page that installs the app again; undefined where the app was not installed by one. */
  installAddress?: URL | undefined;
}

/** Returns the page that installs the app again in a workspace; undefined where it was not installed by one. */
export type FindInstallAddress = (workspaceId: string) => Promise<URL | undefined>;

/** Returns what a workspace's installation lacks; undefined where it lacks nothing. */
export type FindMissingGrant = (workspaceId: string) => Promise<MissingGrant | undefined>;
