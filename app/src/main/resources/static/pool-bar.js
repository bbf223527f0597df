import { element } from './dom.js';

/** What a value can be, by the API's name and by ours for people. */
export const STATES = [
  ['held', 'held'],
  ['quarantined', 'resting'],
  ['draining', 'draining'],
  ['free', 'free'],
];

/** A bar of what is held, rests, drains and is free; whoever cannot see it has the counts. */
export function barElements() {
  const parts = new Map(STATES.map(([state]) => [state, element('span', { 'data-state': state })]));
  return {
    root: element('span', { 'class': 'bar', 'aria-hidden': 'true' }, ...parts.values()),
    show(counts) {
      const all = STATES.reduce((sum, [state]) => sum + counts[state], 0);
      for (const [state, part] of parts) {
        part.style.flexGrow = String(counts[state] / Math.max(1, all));
        part.hidden = counts[state] === 0;
      }
    },
  };
}
