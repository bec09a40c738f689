//! tmp
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let b = std::fs::read(&a[1]).unwrap();
    let f = boxstep_format::read_xar("x", &b, &Default::default()).unwrap();
    let l = if a.len() > 3 {
        boxstep_draw::Level::find(&f.project, &a[3]).unwrap()
    } else {
        boxstep_draw::Level::root(&f.project)
    };
    std::fs::write(&a[2], boxstep_draw::svg(&l, boxstep_bodies::BodyKind::Nao.body())).unwrap();
    std::fs::write("/tmp/look/legend.svg", boxstep_draw::legend()).unwrap();
}
