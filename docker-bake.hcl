// The released image: every architecture, with a list of its contents (SBOM) and a record of its build (provenance).
//   docker buildx bake                      builds for all, keeps nothing; checks that it builds
//   docker buildx bake local                for this machine, as gatehouse:latest
//   IMAGE=… VERSION=… docker buildx bake --push
variable "IMAGE" {
  default = "gatehouse"
}

variable "VERSION" {
  default = "latest"
}

variable "REVISION" {
  default = "unknown"
}

group "default" {
  targets = ["release"]
}

target "base" {
  context = "."
  args = {
    REVISION = REVISION
  }
}

target "release" {
  inherits  = ["base"]
  platforms = ["linux/amd64", "linux/arm64"]
  tags      = ["${IMAGE}:${VERSION}", "${IMAGE}:latest"]
  attest = [
    "type=sbom",
    "type=provenance,mode=max",
  ]
}

target "local" {
  inherits = ["base"]
  tags     = ["gatehouse:latest"]
  output   = ["type=docker"]
}
