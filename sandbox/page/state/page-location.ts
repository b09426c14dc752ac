/** Where the person at the page is: kept in the address, so that a reload or a bookmark leads back. */
export interface PageLocation {
  person: string;
  /** The id of a channel, or `app`. */
  channel: string;
  tab: 'messages' | 'home';
  panel: 'closed' | 'guide' | 'requests';
}

/** The app's own place, in the stead of a channel. */
export const appChannel = 'app';

const defaultPerson = 'U0AGENT';

/** The guide is open at first where there is room for it. */
export function readPageLocation(): PageLocation {
  const words = new URLSearchParams(location.hash.slice(1));
  const panel = words.get('panel');
  const roomy = window.matchMedia('(min-width: 1100px)').matches;
  return {
    person: words.get('as') ?? defaultPerson,
    channel: words.get('in') ?? '',
    tab: words.get('tab') === 'home' ? 'home' : 'messages',
    panel:
      panel === 'closed' || panel === 'guide' || panel === 'requests' ? panel : roomy ? 'guide' : 'closed',
  };
}

export function writePageLocation({ person, channel, tab, panel }: PageLocation): void {
  const words = new URLSearchParams({ as: person, in: channel, tab, panel });
  history.replaceState(null, '', `#${words}`);
}
