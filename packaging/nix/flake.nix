# nix build path:.?dir=packaging/nix, at the top of the source. Checked by Nix's parser alone.
{
  description = "Show what threads and processes cost, live";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      package = pkgs: pkgs.stdenv.mkDerivation {
        pname = "tuibench";
        version = "1.0.0";
        src = ../..;
        nativeBuildInputs = with pkgs; [ meson ninja pkg-config python3 gettext ];
        buildInputs = with pkgs; [ ncurses libcsv jansson cmark libunistring zstd zlib ];
        checkInputs = with pkgs; [ cmocka hwloc libvterm-neovim procps ];
        # glibc's static library is an output of its own.
        mesonFlags = [ "-Dnls=enabled" "-Dprefer_static=false" "-Dtests=true" "-Dstatic_hello=false" ];
        doCheck = true;
        checkPhase = "meson test --suite unit --print-errorlogs";
        meta = {
          homepage = "https://tuibench.invalid";
          license = pkgs.lib.licenses.mit;
          platforms = systems;
          mainProgram = "tuibench";
        };
      };
    in {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = package nixpkgs.legacyPackages.${system};
      });
    };
}
