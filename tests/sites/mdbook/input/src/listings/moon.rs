// ANCHOR: all
// ANCHOR: phase
pub fn phase(day: u32) -> u32 {
    // ANCHOR: inner
    day % 29
    // ANCHOR_END: inner
}
// ANCHOR_END: phase
const PLANTEDFOUR: u32 = 4;
// ANCHOR_END: all
