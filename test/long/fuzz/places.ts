/** A workspace that the app serves. */
export interface Place {
  team: string;
  /** Its admin, who connects the provider, a member, and a guest. */
  admin: string;
  agent: string;
  guest: string;
  /** Everybody who may use the app there. */
  members: readonly string[];
  /** Guests, people of other workspaces, bots and unknown ids. */
  others: readonly string[];
}

export const firstPlace: Place = {
  team: 'T0SWITCH',
  admin: 'U0ADMIN',
  agent: 'U0AGENT',
  guest: 'U0GUEST',
  members: ['U0ADMIN', 'U0AGENT', 'U0APPROVER', 'U0MEMBER', 'W0SISTER', 'W0CHIEF'],
  others: ['U0GUEST', 'U0STRANGER', 'U0NOBODY', 'U0SWITCHBOARD', 'B0SWITCHBOARD'],
};

/** Of another company. */
export const secondPlace: Place = {
  team: 'T0HARBOR',
  admin: 'U0HARADMIN',
  agent: 'U0HARAGENT',
  guest: 'U0HARGUEST',
  members: ['U0HARADMIN', 'U0HARAGENT', 'U0HARMEMBER', 'U0HARAPPROVER'],
  others: ['U0HARGUEST', 'U0SWITCHHARBOR'],
};

/** A workspace that the app is removed from, over and over, by events that name it. */
export const removedPlace = { team: 'T0ORCHARD', admin: 'U0ORCADMIN' };
