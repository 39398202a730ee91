# frozen_string_literal: true

module Gatehouse
  # The script in a form that asks for a proof of work. Written by scripts/client-models.mjs from clients/proof.js.
  PROOF_SCRIPT = <<~'RUBY'.chomp
    (() => {
    const toBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const derive = async ({ nonce, salt, cost, keyLength }, counter) => {
    const password = new Uint8Array([...toBytes(nonce), 0, 0, 0, 0]);
    new DataView(password.buffer).setUint32(password.length - 4, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt: toBytes(salt), iterations: cost };
    return toHex(new Uint8Array(await crypto.subtle.deriveBits(how, key, keyLength * 8)));
    };
    const solve = async (challenge) => {
    const started = performance.now();
    for (let counter = 0; ; counter += 1) {
    const derivedKey = await derive(challenge.parameters, counter);
    if (!derivedKey.startsWith(challenge.parameters.keyPrefix)) continue;
    const solution = { counter, derivedKey, time: Math.round(performance.now() - started) };
    return btoa(JSON.stringify({ challenge, solution }));
    }
    };
    for (const place of document.querySelectorAll('[data-gatehouse-proof]')) {
    const { gatehouseProof, working, ready, insecure } = place.dataset;
    place.removeAttribute('data-gatehouse-proof');
    const status = place.querySelector('[role=status]');
    const field = place.querySelector('input');
    const { form } = field;
    if (!isSecureContext) {
    status.textContent = insecure;
    continue;
    }
    let sendsWith;
    const wait = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    sendsWith = [event.submitter];
    };
    status.textContent = working;
    form.addEventListener('submit', wait, true);
    const end = (solved, text) => {
    field.value = solved;
    status.textContent = text;
    form.removeEventListener('submit', wait, true);
    if (sendsWith) form.requestSubmit(sendsWith[0] ?? undefined);
    };
    solve(JSON.parse(gatehouseProof)).then(
    (solved) => end(solved, ready),
    () => end('', ''),
    );
    }
    })();
  RUBY
end
