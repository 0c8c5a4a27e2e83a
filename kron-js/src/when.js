/** Milliseconds since 1970 of an instant. */
export function milliseconds(when) {
    const found = when instanceof Date ? when.getTime() : typeof when === "string" ? ofText(when) : ofNumber(when);
    if (typeof found !== "number" || Number.isNaN(found)) throw new TypeError(`${shown(when)} is not an instant`);
    return found;
}

const ofNumber = (when) => (typeof when === "number" ? when : when?.epochMilliseconds);

/** Without an offset, a text would mean another instant on each machine. */
function ofText(text) {
    if (!/\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(text)) {
        throw new TypeError(`${shown(text)} is not an instant; write it as 2026-03-01T12:00:00Z or with an offset`);
    }
    return Date.parse(text);
}

const shown = (when) => (typeof when === "string" ? `\`${when.slice(0, 60)}\`` : Object.prototype.toString.call(when));

/** Unix seconds of an instant. */
export const seconds = (when) => milliseconds(when) / 1000;
