/**
 * Formatted text as data. mrkdwn and rich text are both parsed into it and one function draws it, so that text can
 * only become text nodes.
 */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'bold' | 'italic' | 'strike' | 'underline'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; children: Inline[] }
  | { kind: 'person'; id: string; fallback?: string }
  | { kind: 'channel'; id: string; fallback?: string }
  | { kind: 'mention'; text: string }
  | { kind: 'date'; seconds: number; format: string; url?: string; fallback: string }
  | { kind: 'emoji'; name: string; character: string };

export type Flow =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'quote'; children: Flow[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; start: number; indent: number; items: Inline[][] };

const safeProtocols = new Set(['http:', 'https:', 'mailto:', 'tel:', 'slack:']);

/** Returns the address if it is absolute and of a harmless protocol: not `javascript:`. */
export function safeAddress(address: string): string | undefined {
  if (!URL.canParse(address)) {
    return undefined;
  }
  return safeProtocols.has(new URL(address).protocol) ? address : undefined;
}

/** Returns the text without its formatting. */
export function plainWords(nodes: Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case 'text':
        case 'code':
        case 'mention':
          return node.text;
        case 'break':
          return '\n';
        case 'emoji':
          return `:${node.name}:`;
        case 'date':
          return node.fallback;
        case 'person':
          return `@${node.fallback ?? node.id}`;
        case 'channel':
          return `#${node.fallback ?? node.id}`;
        default:
          return plainWords(node.children);
      }
    })
    .join('');
}
