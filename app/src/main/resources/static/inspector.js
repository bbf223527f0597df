import { readAddress, writeAddress } from './address.js';
import { ask } from './api.js';
import { byId, element } from './dom.js';
import { readingElement } from './reading.js';

const EXAMPLES = [
  ['01FZG96YPZK4SANAG1ZM5T2K9Z', 'a ULID'],
  ['017fe093-7adf-9932-aaaa-01fd0ba14d3f', 'the same ULID, kept as a UUID'],
  ['061ff8d8-e24b-7000-8092-ca1e5440d491', 'a UUIDv7 of an early draft'],
  ['b43a28cb-a649-426d-ad59-13b2a02894e3', 'a UUIDv4'],
  ['prefix_01h455vb4pex5vsknk084sn02q', 'a TypeID'],
  ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'a KSUID'],
  ['1541815603606036480', 'a number: a Snowflake of Twitter, or another'],
];
const MINTED = [
  ['ulid', 'ULID'],
  ['uuidv7', 'UUIDv7'],
  ['uuidv4', 'UUIDv4'],
];
const TYPING_PAUSE_MILLIS = 150;

/** The inspector: an id in, every plausible reading out, the most likely first. */
export function startInspector() {
  const input = byId('inspector-input');
  const status = byId('inspector-status');
  const failure = byId('inspector-error');
  const readings = byId('readings');
  let asked = 0;
  let typing = 0;
  /** What is shown without anybody having asked for it. */
  let unasked = false;

  /** Begins a question; whatever answers an earlier one comes too late from now on. */
  function begin() {
    clearTimeout(typing);
    readings.setAttribute('aria-busy', 'true');
    return ++asked;
  }

  /**
   * @param {string} id
   * @param {object} [how]
   * @param {boolean} [how.replace] whether the address changes without a step to go back to
   * @param {boolean} [how.keepAddress]
   * @param {string | null} [how.before] the id this one takes the place of
   */
  async function inspect(id, { replace = false, keepAddress = false, before = null } = {}) {
    const mine = begin();
    unasked = false;
    if (!id) {
      clear();
      writeAddress('id', '', { replace });
      return;
    }
    try {
      const { body } = await ask(['ids'], { id });
      if (mine !== asked) {
        return;
      }
      failure.replaceChildren();
      show(body[0], before);
      if (!keepAddress) {
        writeAddress('id', id, { replace });
      }
    } catch (error) {
      if (mine === asked) {
        clear();
        fail(error);
      }
    } finally {
      if (mine === asked) {
        readings.removeAttribute('aria-busy');
      }
    }
  }

  function clear() {
    readings.replaceChildren();
    readings.removeAttribute('aria-busy');
    failure.replaceChildren();
    status.textContent = '';
  }

  function show({ input: read, readings: found }, before) {
    const [likely, ...others] = found;
    status.textContent = likely
      ? `${read}: most likely ${likely.kind}` +
        (others.length ? `, or ${others.map(({ kind }) => kind).join(', ')}` : '')
      : `${read}: nothing reads it`;
    if (!likely) {
      readings.replaceChildren(
        element(
          'p',
          { class: 'notice' },
          'No kind of identifier reads ',
          element('code', { class: 'mono' }, read),
          '.',
        ),
      );
      return;
    }
    readings.replaceChildren(
      ...found.map((reading, rank) => readingElement(read, reading, { rank, before })),
    );
  }

  function fail(error) {
    failure.replaceChildren(element('p', { class: 'notice is-error' }, error.message));
  }

  async function regenerate(kind) {
    const before = input.value;
    const mine = begin();
    try {
      const { body } = await ask(['ids'], {}, { method: 'POST', body: { kind, count: 1 } });
      if (mine === asked) {
        [input.value] = body.ids;
        await inspect(body.ids[0], { replace: true, before });
      }
    } catch (error) {
      if (mine === asked) {
        readings.removeAttribute('aria-busy');
        fail(error);
      }
    }
  }

  function inspectAddress() {
    const id = readAddress('id');
    if (id !== null && id !== input.value) {
      input.value = id;
      inspect(id, { keepAddress: true });
    }
  }

  byId('inspector-form').addEventListener('submit', (event) => {
    event.preventDefault();
    inspect(input.value.trim());
  });
  input.addEventListener('input', (event) => {
    begin();
    if (unasked) {
      readings.replaceChildren();
      unasked = false;
    }
    const pasted = event.inputType === 'insertFromPaste';
    typing = setTimeout(
      () => inspect(input.value.trim(), { replace: !pasted }),
      pasted ? 0 : TYPING_PAUSE_MILLIS,
    );
  });

  byId('regenerate').append(
    ...MINTED.map(([kind, name]) =>
      element(
        'li',
        {},
        element(
          'button',
          {
            'type': 'button',
            'class': 'chip is-mint',
            'data-testid': `regenerate-${kind}`,
            'aria-label': `Regenerate ${name}`,
            'onclick': () => regenerate(kind),
          },
          name,
        ),
      ),
    ),
  );
  byId('examples').append(
    ...EXAMPLES.map(([id, what]) =>
      element(
        'li',
        {},
        element(
          'button',
          {
            type: 'button',
            class: 'chip mono',
            title: what,
            onclick: () => {
              input.value = id;
              inspect(id);
            },
          },
          id,
        ),
      ),
    ),
  );

  addEventListener('hashchange', inspectAddress);
  if (readAddress('id') === null) {
    inspect(EXAMPLES[0][0], { keepAddress: true });
    unasked = true;
  } else {
    inspectAddress();
  }
}
