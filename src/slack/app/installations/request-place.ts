import { z } from 'zod';

/** Where in Slack a request comes from. */
export interface RequestPlace {
  /** Undefined where the request does not say. */
  workspaceId: string | undefined;
  /** The enterprise of a request to an enterprise-wide installation. */
  enterpriseId: string | undefined;
}

/** Of Slack's ids, in characters. */
const maxId = 64;
const id = z.string().min(1).max(maxId).nullish().catch(undefined);
const viewSchema = z.object({ app_installed_team_id: id, team_id: id }).nullish().catch(undefined);

/** Slack: slash commands, whose fields are all text. */
const commandSchema = z.object({
  command: z.string(),
  team_id: id,
  enterprise_id: id,
  is_enterprise_install: z.string().optional(),
});

/** Slack: Events API. */
const eventSchema = z.object({
  event: z.object({ view: viewSchema }),
  team_id: id,
  enterprise_id: id,
  authorizations: z
    .array(z.object({ is_enterprise_install: z.boolean().optional() }))
    .optional()
    .catch(undefined),
});

/** Slack: interaction payloads, of elements, views and shortcuts. */
const interactionSchema = z.object({
  team: z.object({ id, enterprise_id: id }).nullish().catch(undefined),
  enterprise: z.object({ id }).nullish().catch(undefined),
  is_enterprise_install: z.boolean().optional().catch(undefined),
  view: viewSchema,
});

/**
 * Reads which workspace a request is for from what it says of its place: the view it is in, or the workspace it
 * names. Never from its user: on Enterprise Grid, theirs may be another one.
 */
export function placeOf(body: unknown): RequestPlace {
  const command = commandSchema.safeParse(body).data;
  if (command !== undefined) {
    return place(command.team_id, command.is_enterprise_install === 'true' && command.enterprise_id);
  }
  const event = eventSchema.safeParse(body).data;
  if (event !== undefined) {
    const { view } = event.event;
    const isWide = event.authorizations?.[0]?.is_enterprise_install === true;
    return placeOfView(view, event.team_id ?? view?.team_id, { isWide, enterpriseId: event.enterprise_id });
  }
  const interaction = interactionSchema.safeParse(body).data;
  const { team, enterprise, view, is_enterprise_install } = interaction ?? {};
  return placeOfView(view, team?.id ?? view?.team_id, {
    isWide: is_enterprise_install === true,
    enterpriseId: enterprise?.id ?? team?.enterprise_id,
  });
}

/**
 * A view names the workspace or enterprise where the app was installed. For an enterprise, use the workspace
 * named in the request, if the request says that it belongs to the enterprise.
 */
function placeOfView(
  view: z.output<typeof viewSchema>,
  named: string | null | undefined,
  { isWide, enterpriseId }: { isWide: boolean; enterpriseId: string | null | undefined },
): RequestPlace {
  const installedIn = view?.app_installed_team_id;
  if (installedIn?.startsWith('E') !== true) {
    return place(installedIn ?? named, isWide && enterpriseId);
  }
  return place(enterpriseId === installedIn ? named : undefined, installedIn);
}

function place(
  workspaceId: string | null | undefined,
  enterpriseId: string | null | undefined | false,
): RequestPlace {
  return { workspaceId: workspaceId ?? undefined, enterpriseId: enterpriseId || undefined };
}
