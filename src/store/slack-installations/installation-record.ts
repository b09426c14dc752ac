import { z } from 'zod';

/**
 * An installation of the app in Slack, as Slack granted it. It belongs to its owner: the enterprise if it is
 * enterprise-wide, else the workspace.
 */
export const slackInstallationSchema = z.object({
  /** The enterprise's id, or the workspace's. */
  ownerId: z.string(),
  isEnterpriseWide: z.boolean(),
  /** What the owner is called in Slack. */
  name: z.string(),
  appId: z.string().optional(),
  token: z.string(),
  /** With token rotation; good for one refresh. */
  refreshToken: z.string().optional(),
  /** When `token` expires, in milliseconds since 1970; undefined: never. */
  expiresAt: z.number().optional(),
  /** Slack does not accept `refreshToken` any more: only another installation helps. */
  isRefreshRefused: z.boolean().optional(),
  /** Since when Slack does not accept `token`, in milliseconds since 1970: nothing is sent for its workspaces. */
  refusedAt: z.number().optional(),
  /** Workspaces of the enterprise that Slack does not let `token` into: nothing is sent for them. */
  shutOutOf: z.array(z.string()).optional(),
  /** The granted scopes. */
  scopes: z.array(z.string()),
  botId: z.string(),
  botUserId: z.string(),
  /** A Slack user id. */
  installedBy: z.string(),
  /** In milliseconds since 1970. */
  installedAt: z.number(),
  /** The page that the installation began on. */
  installAddress: z.string().optional(),
});

export type SlackInstallation = z.infer<typeof slackInstallationSchema>;

/** Whether Slack does not let the app into a workspace that the installation serves. */
export function isShutOut({ refusedAt, shutOutOf = [] }: SlackInstallation, workspaceId: string): boolean {
  return refusedAt !== undefined || shutOutOf.includes(workspaceId);
}
