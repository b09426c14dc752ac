/**
 * Formatted text as data. mrkdwn and rich text are parsed into it and drawn by one function, so that text can
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
