/** An Enterprise Grid organisation: several workspaces of one company. */
export interface Enterprise {
  id: string;
  name: string;
  domain: string;
}

export interface Team {
  id: string;
  name: string;
  domain: string;
  enterprise?: Enterprise;
}

/** The user of an app in a workspace, or in all workspaces of an enterprise. */
export interface BotUser {
  userId: string;
  botId: string;
}

export const enterprise: Enterprise = { id: 'E0SWITCH', name: 'Sandbox Group', domain: 'sandbox-group' };

/** The first workspace, and its sister in the same enterprise. */
export const team: Team = { id: 'T0SWITCH', name: 'Sandbox', domain: 'sandbox', enterprise };
export const sisterTeam: Team = { id: 'T0SISTER', name: 'Sister', domain: 'sister', enterprise };

/** Workspaces of two other companies, without an enterprise. */
export const harborTeam: Team = { id: 'T0HARBOR', name: 'Harbor', domain: 'harbor' };
export const orchardTeam: Team = { id: 'T0ORCHARD', name: 'Orchard', domain: 'orchard' };

/** Another organisation, which shares the channel #support of the first workspace. Nothing can be installed there. */
export const otherTeam: Team = { id: 'T0ELSEWHERE', name: 'Elsewhere', domain: 'elsewhere' };

export const app = { id: 'A0SWITCHBOARD' };

/** The app's user under an installation in the whole enterprise. */
export const enterpriseBot: BotUser = { userId: 'W0SWITCHBOARD', botId: 'B0SWITCHGROUP' };
